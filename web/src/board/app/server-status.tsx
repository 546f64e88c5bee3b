/** Loading progress, and a notice with a countdown while the server cannot be reached. */

import { useEffect, useState } from "react";
import { bytesOf, timeOfDay } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Banner } from "../../ui/banner";
import { Button } from "../../ui/button";
import { useStatus } from "../data/lists";
import { useLive } from "../data/live";
import { live } from "../data/session";
import style from "./server-status.module.css";

export function DisconnectedBanner() {
  const say = useWords();
  const { reached, answeredAt, retryAt } = useLive();
  const seconds = useCountdown(reached ? null : retryAt);
  if (reached) return null;
  return (
    <Banner testId="lost">
      <span>{say("lost.showing", { time: timeOfDay(answeredAt) })}</span>
      {seconds !== null && <span aria-hidden="true">{say("lost.retryIn", { seconds })}</span>}
      <Button size="small" onClick={() => live.retryNow()}>
        {say("lost.retryNow")}
      </Button>
    </Banner>
  );
}

/** Counts down the whole seconds until `at`, by the real clock. */
function useCountdown(at: number | null): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    if (at === null) return;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [at]);
  return at === null ? null : Math.max(0, Math.ceil(at - Date.now() / 1000));
}

/** Loading faster than this shows no progress. */
const LATE_AFTER_MS = 400;

export function Progress() {
  const say = useWords();
  const status = useStatus().data;
  const loading = status?.loading ?? false;
  const reached = useLive((live) => live.reached);
  const [late, setLate] = useState(false);
  useEffect(() => {
    setLate(false);
    if (!loading) return;
    const timer = setTimeout(() => setLate(true), LATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [loading]);
  if (!status || !loading || !late || !reached) return null;
  const [read, total] = bytesOf(status.bytes_read, status.bytes_total);
  const part = status.bytes_total > 0 ? Math.min(1, status.bytes_read / status.bytes_total) : 0;
  return (
    <div className={style.progress} role="status" data-testid="progress">
      {say("progress.read", { read, total, runs: status.runs })}
      <div className={style.track}>
        <div className={style.bar} style={{ transform: `scaleX(${part})` }} />
      </div>
    </div>
  );
}
