// biome-ignore-all lint/a11y/useSemanticElements: a table of which only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads hold what takes the focus

import { memo } from "react";
import { Button } from "../../../widgets/button";
import { RunName } from "../../../widgets/run-name";
import { ago, bytes, dateTime, duration } from "../../../words/format";
import { useWords } from "../../../words/words";
import { BoardLink } from "../../parts/board-link";
import { BoardMenu } from "../../parts/board-menu";
import { Link } from "../../parts/link";
import { reasonOf, StatusPill, useReason } from "../../parts/status-pill";
import { useNow } from "../../state/clock";
import { go } from "../../state/route";
import { type Board, isFresh } from "../../state/tensorboards";
import style from "./board-list.module.css";

interface RowProps {
  board: Board;
  index: number;
  top: number;
  height: number;
}

export const BoardRow = memo(function BoardRow({ board, index, top, height }: RowProps) {
  const say = useWords();
  const reason = useReason();
  const page = `/tensorboards/${board.id}`;
  const why = reasonOf(board);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the name is a link to the same page
    <div
      role="row"
      tabIndex={-1}
      className={style.row}
      style={{ transform: `translateY(${top}px)`, height }}
      aria-rowindex={index + 2}
      data-testid="instance-row"
      data-id={board.id}
      data-status={board.status}
      onClick={(event) => {
        const inner = event.target as Element;
        // Dialogs are children of the row in React, but not in the DOM. The second click of a double click on a
        // button that has disappeared was meant for the button.
        if (event.detail < 2 && event.currentTarget.contains(inner) && !inner.closest("a, button")) go(page);
      }}
    >
      <div role="cell" className={style.status}>
        <StatusPill status={board.status} />
        {why && (
          <span className={style.second} title={reason(why)}>
            {reason(why)}
          </span>
        )}
      </div>
      <div role="cell" className={style.name}>
        <Link to={page} className={style.title} title={board.display_name} aria-label={board.display_name}>
          <RunName name={board.display_name} title="" />
        </Link>
        <BoardSummary board={board} />
      </div>
      <div role="cell" className={style.link}>
        <BoardLink board={board} />
      </div>
      <div role="cell" className={style.created}>
        <time dateTime={new Date(board.created_at * 1000).toISOString()}>{dateTime(board.created_at)}</time>
      </div>
      <div role="cell" className={style.origin}>
        {say(`hub.origin.${board.origin}`)}
        {board.origin_id && <bdi> {board.origin_id}</bdi>}
      </div>
      <div role="cell" className={style.sources} title={board.sources.map((each) => each.text).join("\n")}>
        <span className={style.path}>
          <bdi>{board.sources[0]?.text}</bdi>
        </span>
        {board.sources.length > 1 && <span className={style.more}>+{board.sources.length - 1}</span>}
      </div>
      <div role="cell" className={style.owner}>
        <bdi title={board.owner_name}>{board.owner_name}</bdi>
      </div>
      <div role="cell" className={style.expires}>
        <Expires board={board} />
      </div>
      <div role="cell" className={style.read}>
        {board.progress.bytes_read > 0 ? bytes(board.progress.bytes_read) : "–"}
      </div>
      <div role="cell" className={style.menu}>
        <BoardMenu
          board={board}
          trigger={
            <Button
              variant="quiet"
              icon="more"
              label={say("hub.list.menu", { name: board.display_name })}
              data-testid="row-menu"
            />
          }
        />
      </div>
    </div>
  );
});

/** Its contents, or why it failed, below its name. */
function BoardSummary({ board }: { board: Board }) {
  const say = useWords();
  const now = useNow();
  const { runs, last_event_at: last, loading } = board.progress;
  if (board.status === "Failed" || board.status === "Creating_Failed")
    return (
      <bdi lang="en" className={style.second} title={board.message}>
        {board.message}
      </bdi>
    );
  if (board.status !== "Running") return null;
  if (runs === 0)
    return (
      <span className={style.second}>
        {say(loading || isFresh(board) ? "hub.list.reading" : "hub.list.noEvents")}
      </span>
    );
  return (
    <span className={style.second}>
      {say("hub.list.runs", { runs })}
      {last !== null && ` · ${say("hub.look.last", { time: ago(now - last) })}`}
    </span>
  );
}

function Expires({ board }: { board: Board }) {
  const say = useWords();
  const now = useNow();
  const idles = board.idle_at === null ? null : Math.max(0, board.idle_at - now);
  if (board.expires_at === null && idles === null) return "–";
  return (
    <span className={style.clocks}>
      {board.expires_at !== null && (
        <time
          dateTime={new Date(board.expires_at * 1000).toISOString()}
          title={say("hub.list.endsIn", { time: inMinutes(Math.max(0, board.expires_at - now)) })}
          data-soon={board.ends_soon || undefined}
        >
          {dateTime(board.expires_at)}
        </time>
      )}
      {idles !== null && (
        <span className={style.second}>{say("hub.list.idleIn", { time: inMinutes(idles) })}</span>
      )}
    </span>
  );
}

/** Above an hour seconds do not matter. */
function inMinutes(secs: number): string {
  return duration(secs >= 60 ? Math.floor(secs / 60) * 60 : secs);
}
