/** When a notebook will be stopped if nothing runs in it. Nothing while something does, or if it has no such end. */

import { roughDuration, timeNear } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { useNow } from "../data/clock";
import type { Job } from "../data/jobs";

interface IdleStopProps {
  job: Pick<Job, "idle_at">;
  className?: string | undefined;
}

export function IdleStop({ job: { idle_at: at }, className }: IdleStopProps) {
  const say = useWords();
  const now = useNow();
  if (at === null) return null;
  const text = say("hub.notebook.idleAt", {
    at: timeNear(at, now),
    time: roughDuration(Math.max(0, at - now)),
  });
  return (
    <time
      className={className}
      dateTime={new Date(at * 1000).toISOString()}
      title={text}
      data-testid="idle-at"
    >
      {text}
    </time>
  );
}
