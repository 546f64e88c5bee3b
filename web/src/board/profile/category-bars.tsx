/** What the time of each host is made of: a bar of parts with names, and a table with the same figures. */

import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { useColorScheme } from "../view/theme";
import style from "./category-bars.module.css";
import { hostKey, hostLabel, percent } from "./labels";
import { type Category, categoryColor, type HostSummary } from "./profiles";

export function CategoryBars({ hosts }: { hosts: readonly HostSummary[] }) {
  const say = useWords();
  if (hosts.every((host) => sumOf(host) === 0))
    return <p className={style.note}>{say("profile.noOperators")}</p>;
  return hosts.map((host) => <HostBar key={hostKey(host)} host={host} named={hosts.length > 1} />);
}

function HostBar({ host, named }: { host: HostSummary; named: boolean }) {
  const say = useWords();
  const scheme = useColorScheme();
  const parts = Object.entries(host.categories_us) as [Category, number][];
  const sum = sumOf(host);
  if (sum === 0) return null;
  return (
    <div className={style.host}>
      {named && <div className={style.name}>{hostLabel(host)}</div>}
      <div className={style.bar} aria-hidden="true">
        {parts.map(([category, time]) => (
          <span
            key={category}
            style={{ flexGrow: time / sum, background: categoryColor(category, scheme) }}
            title={`${say(`profile.category.${category}`)}: ${formatMicroseconds(time)}`}
          />
        ))}
      </div>
      <table className={style.table} aria-label={`${say("profile.categories")}: ${hostLabel(host)}`}>
        <tbody>
          {parts.map(([category, time]) => (
            <tr key={category}>
              <th scope="row">
                <span className={style.swatch} style={{ background: categoryColor(category, scheme) }} />
                {say(`profile.category.${category}`)}
              </th>
              <td>{formatMicroseconds(time)}</td>
              <td>{percent(time, sum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function sumOf({ categories_us }: HostSummary): number {
  return Object.values(categories_us).reduce((sum, time) => sum + time, 0);
}
