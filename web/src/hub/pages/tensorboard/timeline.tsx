import type { TensorboardDetail } from "../../../api/hub/schema.gen";
import { colon, dateTime, day, duration, timeOfDay } from "../../../words/format";
import { useWords } from "../../../words/words";
import { StatusPill, useReason } from "../../parts/status-pill";
import style from "./tensorboard.module.css";

type Step = TensorboardDetail["transitions"][number];

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

/** The history of a TensorBoard, newest first, with the accounts. */
export function Timeline({ board }: { board: TensorboardDetail }) {
  const say = useWords();
  const reason = useReason();
  return (
    <ol className={style.timeline} data-testid="timeline" reversed>
      {board.transitions.toReversed().map((step) => (
        <li key={`${step.at} ${step.status} ${step.reason}`}>
          <time dateTime={new Date(step.at * 1000).toISOString()} title={dateTime(step.at)}>
            {day(step.at)} <span className={style.seconds}>{timeOfDay(step.at)}</span>
          </time>
          <StatusPill status={step.status} />
          <span className={style.step}>
            {reason(step.reason)}
            <LifeSpan step={step} />
            {step.message && (
              <>
                {colon()}
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
