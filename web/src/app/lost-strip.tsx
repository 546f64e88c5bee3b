/** Says that the server is gone, what the charts show meanwhile and when it is tried again. */

import { useEffect, useState } from "react";
import { useLive } from "../state/live";
import { live } from "../state/session";
import { Button } from "../widgets/button";
import { Strip } from "../widgets/strip";
import { timeOfDay } from "../words/format";
import { useWords } from "../words/words";

export function LostStrip() {
  const say = useWords();
  const { reached, heardAt, retryAt } = useLive();
  const seconds = useCountdown(reached ? null : retryAt);
  if (reached) return null;
  return (
    <Strip testId="lost">
      <span>{say("lost.showing", { time: timeOfDay(heardAt) })}</span>
      {seconds !== null && <span aria-hidden="true">{say("lost.retryIn", { seconds })}</span>}
      <Button size="small" onClick={() => live.retryNow()}>
        {say("lost.retryNow")}
      </Button>
    </Strip>
  );
}

/** Whole seconds until `at` by the real clock, counted down. */
function useCountdown(at: number | null): number | null {
  const [, tick] = useState(0);
  useEffect(() => {
    if (at === null) return;
    const timer = setInterval(() => tick((n) => n + 1), 500);
    return () => clearInterval(timer);
  }, [at]);
  return at === null ? null : Math.max(0, Math.ceil(at - Date.now() / 1000));
}
