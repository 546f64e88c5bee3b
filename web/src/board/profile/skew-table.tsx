/** How far ranks are apart in each step, and who waited for whom. */

import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { hostLabel } from "./labels";
import style from "./overview.module.css";
import { type CaptureName, useSkew } from "./profiles";

/** Steps that are shown: the others are in the interface for programs. */
export const SKEW_STEPS = 20;

export function SkewTable({ name, total }: { name: CaptureName; total: number }) {
  const say = useWords();
  const rows = useSkew(name, SKEW_STEPS, total > 0).data?.steps ?? [];
  const columns = ["shortest", "longest", "spread", "slowestRank", "straggler", "waited"] as const;
  return (
    <section className={style.card} data-wide aria-label={say("profile.skew")}>
      <h2>{say("profile.skew")}</h2>
      <p className={style.note}>{say("profile.skewNote")}</p>
      <div className={style.wide}>
        <table className={style.table} aria-label={say("profile.skew")}>
          <thead>
            <tr>
              <th scope="col">{say("profile.step")}</th>
              {columns.map((column) => (
                <th key={column} scope="col" className={style.number}>
                  {say(`profile.skew.${column}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.step}>
                <th scope="row">{row.step}</th>
                <td className={style.number}>{formatMicroseconds(row.shortest_us)}</td>
                <td className={style.number}>{formatMicroseconds(row.longest_us)}</td>
                <td className={style.number}>{formatMicroseconds(row.spread_us)}</td>
                <td className={style.number}>{hostLabel(row.slowest)}</td>
                <td className={style.number}>{row.straggler ? hostLabel(row.straggler) : "–"}</td>
                <td className={style.number}>{formatMicroseconds(row.waited_us)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > SKEW_STEPS && <p className={style.note}>{say("profile.firstSteps", { count: SKEW_STEPS })}</p>}
    </section>
  );
}
