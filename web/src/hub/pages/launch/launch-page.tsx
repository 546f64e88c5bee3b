/**
 * Shown at the link of a TensorBoard while it is not running: stopped, starting, failed, deleted. When it runs, the
 * page reloads and the board takes its place.
 */

import { type ReactNode, useEffect, useRef } from "react";
import { ApiError } from "../../../api/client";
import { bytesOf } from "../../../i18n/format";
import { useWords } from "../../../i18n/words";
import { Button } from "../../../ui/button";
import { startBoard, useLimitReached } from "../../data/board-actions";
import { useBusy } from "../../data/busy";
import { followChanges } from "../../data/changes";
import { useMe } from "../../data/me";
import { errorText } from "../../data/notice";
import { address, go } from "../../data/route";
import { type Board, useLimit, useTensorboard } from "../../data/tensorboards";
import { BoardsInUse } from "../../ui/boards-in-use";
import { CenteredPage } from "../../ui/centered-page";
import { Link } from "../../ui/link";
import { StatusPill, useReason } from "../../ui/status-pill";
import style from "./launch.module.css";

const AGAIN_KEY = "lightboard.door";
/** A board that reports itself running and yet leads back here is retried after these pauses, then by hand. */
const AGAIN_MS = [0, 1000, 3000];
const STEADY_MS = 30_000;

export function LaunchPage({ id }: { id: string }) {
  const say = useWords();
  // Requests of this page need the CSRF token that comes with this.
  useMe();
  const { data: board, error, refetch } = useTensorboard(id);
  const out = error instanceof ApiError && error.status === 401;
  useEffect(() => {
    if (out)
      go(`/login?next=${encodeURIComponent(location.pathname + location.search + location.hash)}`, {
        replace: true,
      });
  }, [out]);
  const known = board !== undefined;
  useEffect(() => (known ? followChanges() : undefined), [known]);
  if (out) return null;
  if (error && !board) {
    const { status } = error instanceof ApiError ? error : { status: 0 };
    if (status === 404 || status === 403)
      return <LaunchOption title={say("hub.door.missing")} text={say("hub.door.missingWhat")} />;
    if (status === 410) return <LaunchOption title={say("hub.door.gone")} text={say("hub.door.goneWhat")} />;
    return (
      <CenteredPage title={say("hub.fault.title")}>
        <p>{errorText(error)}</p>
        <Button variant="primary" onClick={() => void refetch()}>
          {say("action.retry")}
        </Button>
      </CenteredPage>
    );
  }
  return board ? <LaunchDialog board={board} /> : <main aria-busy="true" />;
}

function LaunchDialog({ board }: { board: Board }) {
  const say = useWords();
  const reason = useReason();
  switch (board.status) {
    case "Running":
      return <RedirectToBoard board={board} />;
    case "Pending":
    case "Creating":
      return <Coming board={board} />;
    case "Stopping":
    case "Stopped":
      return <Asleep board={board} />;
    case "Failed":
    case "Creating_Failed":
      return (
        <CenteredPage title={board.display_name} live>
          <p className={style.line}>
            <StatusPill status={board.status} />
            <span>{reason(board.reason)}</span>
          </p>
          {board.message && (
            <p className={style.message}>
              <bdi lang="en">{board.message}</bdi>
            </p>
          )}
          <p>{say("hub.door.failedWhat")}</p>
          <LaunchOptions board={board}>
            <Start board={board} verb={say("hub.door.retry")} />
          </LaunchOptions>
        </CenteredPage>
      );
    default:
      return <LaunchOption title={say("hub.door.gone")} text={say("hub.door.goneWhat")} />;
  }
}

function LaunchOption({ title, text }: { title: string; text: string }) {
  const say = useWords();
  return (
    <CenteredPage title={title}>
      <p>{text}</p>
      <Link to="/" className={style.way}>
        {say("hub.page.analysis")}
      </Link>
    </CenteredPage>
  );
}

function LaunchOptions({ board, children }: { board: Board; children: ReactNode }) {
  const say = useWords();
  return (
    <div className={style.ways}>
      {children}
      <Link to={`/tensorboards/${board.id}`} className={style.way}>
        {say("hub.door.details")}
      </Link>
      <Link to="/" className={style.way}>
        {say("hub.page.analysis")}
      </Link>
    </div>
  );
}

function Start({ board, verb }: { board: Board; verb: string }) {
  const say = useWords();
  const busy = useBusy((state) => state.ids.has(board.id));
  const noRoom = useLimitReached((state) => state.board) !== null;
  const limit = useLimit();
  const full = noRoom && limit !== null && limit.inUse >= limit.limit;
  if (!board.rights.includes("tensorboards.start")) return <p>{say("hub.fault.askOwner")}</p>;
  return (
    <>
      {noRoom && (
        <div className={style.room}>
          <p role="status">
            {limit &&
              say(full ? "hub.limit.full" : "hub.limit.inUse", { used: limit.inUse, limit: limit.limit })}
          </p>
          <BoardsInUse />
        </div>
      )}
      <Button
        variant="primary"
        icon="play"
        disabled={busy || full || board.status === "Stopping"}
        data-testid="start"
        onClick={() => {
          useLimitReached.setState({ board: null });
          void startBoard(board);
        }}
      >
        {verb}
      </Button>
    </>
  );
}

function Asleep({ board }: { board: Board }) {
  const say = useWords();
  const reason = useReason();
  return (
    <CenteredPage title={board.display_name} live>
      <p className={style.line}>
        <StatusPill status={board.status} />
        <span>{reason(board.reason)}</span>
      </p>
      <p>{say("hub.door.asleep")}</p>
      <LaunchOptions board={board}>
        <Start board={board} verb={say("hub.act.enable")} />
      </LaunchOptions>
    </CenteredPage>
  );
}

function Coming({ board }: { board: Board }) {
  const say = useWords();
  const { runs, bytes_read: read, bytes_total: total } = board.progress;
  return (
    <CenteredPage title={board.display_name} live>
      <p className={style.line}>
        <StatusPill status={board.status} />
      </p>
      <p role="status">{say("hub.door.coming")}</p>
      {total > 0 && (
        <p>
          {say("hub.door.progress", { read: bytesOf(read, total)[0], total: bytesOf(read, total)[1], runs })}
          <progress className={style.progress} max={total} value={read} aria-label={say("hub.door.coming")} />
        </p>
      )}
    </CenteredPage>
  );
}

/** Redirects to the board. */
function RedirectToBoard({ board }: { board: Board }) {
  const say = useWords();
  const tried = useRef(redirectCount(board.id));
  const pause = AGAIN_MS[tried.current];
  useEffect(() => {
    if (pause === undefined) return;
    const timer = setTimeout(() => {
      sessionStorage.setItem(AGAIN_KEY, JSON.stringify([board.id, tried.current + 1, Date.now()]));
      location.reload();
    }, pause);
    return () => clearTimeout(timer);
  }, [pause, board.id]);
  return (
    <CenteredPage title={board.display_name} live>
      <p className={style.line}>
        <StatusPill status={board.status} />
      </p>
      <p role="status">{say(pause === undefined ? "hub.door.silent" : "hub.door.opening")}</p>
      {pause === undefined && (
        <LaunchOptions board={board}>
          <a className={style.way} href={address(`/tb/${board.id}/`)}>
            {say("action.retry")}
          </a>
        </LaunchOptions>
      )}
    </CenteredPage>
  );
}

/** How often in a row this tab came back here. */
function redirectCount(id: string): number {
  try {
    const [was, times, at] = JSON.parse(sessionStorage.getItem(AGAIN_KEY) ?? "[]") as [
      string,
      number,
      number,
    ];
    return was === id && Date.now() - at < STEADY_MS ? times : 0;
  } catch {
    return 0;
  }
}
