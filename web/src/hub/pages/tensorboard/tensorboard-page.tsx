/** One TensorBoard: status, sources, history, and the log of its server. */

import { useEffect, useRef } from "react";
import type { TensorboardDetail } from "../../../api/hub-schema.gen";
import { dateTime, duration } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { Icon } from "../../../ui/icon";
import { startBoard, stopBoard } from "../../data/board-actions";
import { useBusy } from "../../data/busy";
import { go } from "../../data/route";
import { useLogs, useTensorboard } from "../../data/tensorboards";
import { BoardMenu } from "../../ui/board-menu";
import { Sections, Why } from "../../ui/detail";
import detail from "../../ui/detail.module.css";
import { Link } from "../../ui/link";
import { EmptyState, ErrorNotice, Page } from "../../ui/page";
import { ShareLinks } from "../../ui/share-dialog";
import { reasonOf, StatusPill, useReason } from "../../ui/status-pill";
import { Timeline } from "../../ui/timeline";
import { Overview, Sources } from "./overview";
import style from "./tensorboard.module.css";

const PARTS = ["overview", "sources", "timeline", "logs", "share"] as const;

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
      <BoardWhy board={board} />
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
        <a className={detail.open} href={board.app_uri} target="_blank" rel="noopener" data-testid="open">
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
function BoardWhy({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const reason = useReason();
  const failed = board.status === "Failed" || board.status === "Creating_Failed";
  if (board.status === "Running" && board.ends_soon)
    return (
      <p className={detail.warn} role="status">
        <Icon name="warning" />
        {say("hub.detail.endsSoon")}
      </p>
    );
  return (
    <Why
      failed={failed}
      reason={reason(reasonOf(board))}
      message={board.message}
      {...(failed && { advice: say("hub.door.failedWhat") })}
    />
  );
}

function Body({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const names = PARTS.filter(
    (part) =>
      (part !== "logs" || board.rights.includes("tensorboards.logs")) &&
      (part !== "share" || board.rights.includes("tensorboards.share")),
  );
  return (
    <Sections names={names} label={(part) => say(`hub.part.${part}`)}>
      {(part) => (
        <>
          {part === "overview" && <Overview board={board} />}
          {part === "sources" && <Sources board={board} />}
          {part === "timeline" && <History board={board} />}
          {part === "logs" && <Logs board={board} />}
          {part === "share" && (
            <div className={style.narrow}>
              <ShareLinks board={board} />
            </div>
          )}
        </>
      )}
    </Sections>
  );
}

type Step = TensorboardDetail["transitions"][number];

function History({ board }: { board: TensorboardDetail }) {
  return (
    <Timeline
      steps={board.transitions}
      pill={(step) => <StatusPill status={step.status} />}
      extra={(step) => <LifeSpan step={step} />}
    />
  );
}

/** A changed life span: until when it lasts from then on, or how long it is if the board did not run. */
function LifeSpan({ step: { life_span_secs: span, expires_at: end } }: { step: Step }) {
  const say = useWords();
  if (span === null) return null;
  const text =
    end !== null
      ? say("hub.detail.until", { end: dateTime(end) })
      : span > 0
        ? say("hub.detail.inAll", { span: duration(span) })
        : say("hub.detail.withoutEnd");
  return <>: {text}</>;
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
