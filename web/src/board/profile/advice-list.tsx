/** What to change in the program, with the figures that this rests on, and the change as code. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import style from "./advice-list.module.css";
import { percent } from "./labels";
import type { AdviceRow } from "./profiles";

export function AdviceList({ rows }: { rows: readonly AdviceRow[] }) {
  const say = useWords();
  return (
    <section className={style.card} aria-label={say("profile.advice")}>
      <h2>{say("profile.advice")}</h2>
      <ul className={style.list}>
        {rows.map((row) => (
          <li key={row.rule}>
            <p>
              {row.rank !== "" && <strong>{`${row.rank}: `}</strong>}
              {say(`profile.advice.${row.rule}`, {
                share: percent(row.share, 1),
                number: count(row.number),
                time: formatMicroseconds(row.time_us),
              })}
            </p>
            <code>{row.change}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
