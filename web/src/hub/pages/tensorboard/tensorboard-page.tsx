/** One TensorBoard: status, sources, history, and the log of its server. */

import { useEffect, useRef } from "react";
import type { TensorboardDetail } from "../../../api/hub/schema.gen";
import { Button } from "../../../widgets/button";
import { Icon } from "../../../widgets/icon";
import { colon } from "../../../words/format";
import { useWords } from "../../../words/words";
import { BoardMenu } from "../../parts/board-menu";
import { Link } from "../../parts/link";
import { EmptyState, ErrorNotice, Page } from "../../parts/page";
import { ShareLinks } from "../../parts/share-dialog";
import { reasonOf, StatusPill, useReason } from "../../parts/status-pill";
import { extendBoard, startBoard, stopBoard, useBusy } from "../../state/board-actions";
import { go, useFragment } from "../../state/route";
import { useLogs, useTensorboard } from "../../state/tensorboards";
import { Overview, Sources } from "./overview";
import style from "./tensorboard.module.css";
import { Timeline } from "./timeline";

const PARTS = ["overview", "sources", "timeline", "logs", "share"] as const;
type Part = (typeof PARTS)[number];

const DAY_SECS = 86_400;

export default function TensorboardPage({ id }: { id: string }) {
  const say = useWords();
  const { data: board, error, refetch, isPending } = useTensorboard(id);
  const above = <Link to="/">{say("hub.page.analysis")}</Link>;
  if (!board)
    return (
      <Page
        name="tensorboard"
        title={isPending ? id : say("hub.door.missing")}
        above={above}
        busy={isPending}
      >
        {error && <ErrorNotice fault={error} onRetry={() => void refetch()} />}
      </Page>
    );
  return (
    <Page
      name="tensorboard"
      title={board.display_name}
      above={above}
      beside={<StatusPill status={board.status} />}
      actions={<Actions board={board} />}
    >
      <Why board={board} />
      <Body board={board} />
    </Page>
  );
}

function Actions({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const busy = useBusy((state) => state.ids.has(board.id));
  const may = (right: string) => board.rights.includes(`tensorboards.${right}`);
  const runs = board.status === "Running";
  const resting = ["Stopped", "Failed", "Creating_Failed"].includes(board.status);
  return (
    <>
      {runs && (
        <a className={style.open} href={board.app_uri} target="_blank" rel="noopener" data-testid="open">
          {say("hub.act.openBoard")}
          <span aria-hidden="true">↗</span>
        </a>
      )}
      {resting && may("start") && (
        <Button
          variant="primary"
          icon="play"
          disabled={busy}
          data-testid="start"
          onClick={() => void startBoard(board)}
        >
          {say("hub.act.enable")}
        </Button>
      )}
      {(runs || board.status === "Pending" || board.status === "Creating") && may("stop") && (
        <Button icon="stop" disabled={busy} data-testid="stop" onClick={() => void stopBoard(board)}>
          {say("hub.act.stop")}
        </Button>
      )}
      {runs && may("extend") && board.life_span_secs > 0 && (
        <Button disabled={busy} data-testid="extend" onClick={() => void extendBoard(board, DAY_SECS)}>
          {say("hub.act.extendDay")}
        </Button>
      )}
      <BoardMenu
        board={board}
        onGone={() => go("/")}
        trigger={
          <Button icon="more" label={say("hub.list.menu", { name: board.display_name })} data-testid="menu" />
        }
      />
    </>
  );
}

/** The reason for the status, if it needs one, and what to do about it. */
function Why({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const reason = useReason();
  const why = reasonOf(board);
  const failed = board.status === "Failed" || board.status === "Creating_Failed";
  if (board.status === "Running" && board.ends_soon)
    return (
      <p className={style.warn} role="status">
        <Icon name="warning" />
        {say("hub.detail.endsSoon")}
      </p>
    );
  if (!why && !board.message) return null;
  return (
    <p className={failed ? style.bad : style.why} role="status">
      {failed && <Icon name="warning" />}
      <span>
        {reason(why)}
        {board.message && (
          <>
            {why && colon()}
            <bdi lang="en">{board.message}</bdi>
          </>
        )}
        {failed && <span className={style.what}>{say("hub.door.failedWhat")}</span>}
      </span>
    </p>
  );
}

function Body({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const fragment = useFragment();
  const parts = PARTS.filter(
    (part) =>
      (part !== "logs" || board.rights.includes("tensorboards.logs")) &&
      (part !== "share" || board.rights.includes("tensorboards.share")),
  );
  const part: Part = parts.find((each) => each === fragment) ?? "overview";
  return (
    <>
      <nav className={style.parts} aria-label={say("hub.detail.parts")}>
        {parts.map((each) => (
          <a
            key={each}
            href={`${location.pathname}${location.search}#${each}`}
            aria-current={each === part ? "true" : undefined}
          >
            {say(`hub.part.${each}`)}
          </a>
        ))}
      </nav>
      <section className={style.part} aria-label={say(`hub.part.${part}`)}>
        {part === "overview" && <Overview board={board} />}
        {part === "sources" && <Sources board={board} />}
        {part === "timeline" && <Timeline board={board} />}
        {part === "logs" && <Logs board={board} />}
        {part === "share" && (
          <div className={style.narrow}>
            <ShareLinks board={board} />
          </div>
        )}
      </section>
    </>
  );
}

/** Within this distance of the end the log keeps scrolling. */
const NEAR_PX = 40;

/** The log of its server, which scrolls along while its end is in view. */
function Logs({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const { data, error, refetch } = useLogs(board.id);
  const box = useRef<HTMLPreElement>(null);
  const atEnd = useRef(true);
  const lines = data?.lines ?? [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: lines that came are what it follows
  useEffect(() => {
    if (box.current && atEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length]);
  if (error && !data) return <ErrorNotice fault={error} onRetry={() => void refetch()} />;
  if (data && lines.length === 0) return <EmptyState title={say("hub.detail.noLogs")} />;
  return (
    <pre
      ref={box}
      className={style.logs}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      role="log"
      aria-live="off"
      aria-label={say("hub.part.logs")}
      data-testid="logs"
      lang="en"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {lines.join("\n")}
    </pre>
  );
}
