import type { TensorboardDetail } from "../../../api/hub/schema.gen";
import { dateTime, timeOfDay } from "../../../words/format";
import { useWords } from "../../../words/words";
import { StatusPill, useReason } from "../../parts/status-pill";
import style from "./tensorboard.module.css";

/** What became of it, newest first, and who did it. */
export function Timeline({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const reason = useReason();
  return (
    <ol className={style.timeline} data-testid="timeline" reversed>
      {board.transitions.toReversed().map((step) => (
        <li key={`${step.at} ${step.status}`}>
          <time dateTime={new Date(step.at * 1000).toISOString()} title={dateTime(step.at)}>
            {dateTime(step.at)}
            <span className={style.seconds}>{timeOfDay(step.at)}</span>
          </time>
          <StatusPill status={step.status} />
          <span className={style.step}>
            {reason(step.reason)}
            {step.message && (
              <>
                {": "}
                <bdi lang="en">{step.message}</bdi>
              </>
            )}
          </span>
          <span className={style.actor}>
            {step.actor ? <bdi>{step.actor}</bdi> : say("hub.detail.itself")}
          </span>
        </li>
      ))}
    </ol>
  );
}
