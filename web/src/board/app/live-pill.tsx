/** Shows whether live updates are on, and switches them. */

import { useEffect, useMemo, useState } from "react";
import { ago } from "../../i18n/format";
import { type Say, useWords } from "../../i18n/words";
import { now } from "../../lib/current-time";
import { useLiveRunsRefresh, useStatus, wallTime } from "../data/lists";
import { type Live, useLive } from "../data/live";
import { type RunStatus, useListedDetails } from "../runs/run-details";
import { useFilesNote } from "./files-note";
import style from "./live-pill.module.css";

type LiveState = "live" | "paused" | "stale" | "finished" | "offline";

/** Logs without changes for this long are called stale. */
const STALE_SECS = 600;
const ENDED: readonly RunStatus[] = ["finished", "failed"];

export function LivePill({ short }: { short: boolean }) {
  const say = useWords();
  const live = useLive();
  const last = wallTime(useStatus().data?.last_event_wall_time ?? null);
  useMinutes();
  useLiveRunsRefresh(live.on);
  const age = last === null ? null : Math.max(0, now() - last);
  const finished = useFinished();
  const state = stateOf(live, age, finished);
  const text = textOf(state, age, say);
  const note = useFilesNote();
  const pushed = note === null ? "live.pushedTip" : "live.clickTip";
  const hint = say(state === "paused" ? "live.pausedTip" : live.streaming ? pushed : "live.polledTip");
  const tip = note === null ? hint : `${note}\n${hint}`;
  return (
    <button
      type="button"
      className={style.pill}
      data-live={state}
      data-testid="live"
      aria-pressed={live.on}
      aria-label={`${say("live.label")}: ${text}`}
      title={short ? `${text}\n${tip}` : tip}
      onClick={() => useLive.setState({ on: !live.on })}
    >
      <span className={style.dot} />
      {!short && <span className={style.text}>{text}</span>}
    </button>
  );
}

function stateOf({ on, reached, hidden }: Live, age: number | null, finished: boolean): LiveState {
  if (!reached) return "offline";
  if (!on || hidden) return "paused";
  if (finished) return "finished";
  return age !== null && age > STALE_SECS ? "stale" : "live";
}

function textOf(state: LiveState, age: number | null, say: Say): string {
  if (state === "stale") return say("live.stale", { time: ago(age ?? 0) });
  return say(`live.${state}`);
}

/** Whether every run has reported its end. */
function useFinished(): boolean {
  const runs = useListedDetails();
  return useMemo(() => runs.length > 0 && runs.every(({ status }) => ENDED.includes(status)), [runs]);
}

/** Renders again each minute, since ages grow. */
function useMinutes(): void {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((n) => n + 1), 60_000);
    return () => clearInterval(timer);
  }, []);
}
