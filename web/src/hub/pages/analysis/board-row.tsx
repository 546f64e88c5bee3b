// biome-ignore-all lint/a11y/useSemanticElements: a table of which only the rows in sight exist
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads hold what takes the focus

import { memo } from "react";
import { ago, bytes, dateTime, roughDuration } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { useNow } from "../../data/clock";
import { type Board, isFresh } from "../../data/tensorboards";
import { BoardLink } from "../../ui/board-link";
import { BoardMenu } from "../../ui/board-menu";
import { OriginText } from "../../ui/origin-text";
import { reasonOf, StatusPill, useReason } from "../../ui/status-pill";
import style from "./board-list.module.css";
import { ResourceRow, type RowPlace } from "./resource-list";
import list from "./resource-list.module.css";
import { CreatedCell, LinkCell, MenuCell, NameCell, StatusCell } from "./row-cells";

interface RowProps extends RowPlace {
  board: Board;
}

export const BoardRow = memo(function BoardRow({ board, ...place }: RowProps) {
  const reason = useReason();
  const page = `/tensorboards/${board.id}`;
  return (
    <ResourceRow id={board.id} status={board.status} page={page} className={style.columns} {...place}>
      <StatusCell pill={<StatusPill status={board.status} />} reason={reason(reasonOf(board))} />
      <NameCell name={board.display_name} page={page}>
        <BoardSummary board={board} />
      </NameCell>
      <LinkCell>
        <BoardLink board={board} />
      </LinkCell>
      <CreatedCell at={board.created_at} />
      <div role="cell" className={style.origin}>
        <OriginText board={board} />
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
      <MenuCell name={board.display_name}>
        {(trigger) => <BoardMenu board={board} trigger={trigger} />}
      </MenuCell>
    </ResourceRow>
  );
});

/** Its contents, or why it failed, below its name. */
function BoardSummary({ board }: { board: Board }) {
  const say = useWords();
  const now = useNow();
  const { runs, last_event_at: last, loading } = board.progress;
  if (board.status === "Failed" || board.status === "Creating_Failed")
    return (
      <bdi lang="en" className={list.second} title={board.message}>
        {board.message}
      </bdi>
    );
  if (board.status !== "Running") return null;
  if (runs === 0)
    return (
      <span className={list.second}>
        {say(loading || isFresh(board) ? "hub.list.reading" : "hub.list.noEvents")}
      </span>
    );
  return (
    <span className={list.second}>
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
          title={say("hub.list.endsIn", { time: roughDuration(Math.max(0, board.expires_at - now)) })}
          data-soon={board.ends_soon || undefined}
        >
          {dateTime(board.expires_at)}
        </time>
      )}
      {idles !== null && (
        <span className={list.second}>{say("hub.list.idleIn", { time: roughDuration(idles) })}</span>
      )}
    </span>
  );
}
