/** A history of statuses, newest first, with the accounts. */

import type { ReactNode } from "react";
import { colon, dateTime, day, timeOfDay } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { useReason } from "./status-pill";
import style from "./timeline.module.css";

interface Step {
  at: number;
  status: string;
  reason: string;
  message: string;
  /** "" for the hub itself. */
  actor: string;
}

interface TimelineProps<Entry extends Step> {
  steps: readonly Entry[];
  pill(step: Entry): ReactNode;
  /** Shown after the reason. */
  extra?(step: Entry): ReactNode;
}

export function Timeline<Entry extends Step>({ steps, pill, extra }: TimelineProps<Entry>) {
  const say = useWords();
  const reason = useReason();
  return (
    <ol className={style.timeline} data-testid="timeline" reversed>
      {steps.toReversed().map((step) => (
        <li key={`${step.at} ${step.status} ${step.reason}`}>
          <time dateTime={new Date(step.at * 1000).toISOString()} title={dateTime(step.at)}>
            {day(step.at)} <span className={style.seconds}>{timeOfDay(step.at)}</span>
          </time>
          {pill(step)}
          <span className={style.step}>
            {reason(step.reason)}
            {extra?.(step)}
            {step.message && (
              <>
                {step.reason && colon()}
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
