/** What the colours stand for. */

import { useWords } from "../../i18n/words";
import type { GraphColoring } from "../view/graphs-view";
import type { Legend as GraphLegend } from "./coloring";
import style from "./legend.module.css";
import { amountText } from "./legend-entries";

export function Legend({ legend, coloring }: { legend: GraphLegend; coloring: GraphColoring }) {
  const say = useWords();
  if (legend.kind === "none") return null;
  if (legend.kind === "ramp") {
    return (
      <div className={style.legend} data-testid="graph-legend">
        <span>{amountText(coloring, legend.from)}</span>
        <span
          className={style.ramp}
          style={{ background: `linear-gradient(to right, ${legend.colors.join()})` }}
        />
        <span>{amountText(coloring, legend.to)}</span>
      </div>
    );
  }
  return (
    <ul className={style.legend} data-testid="graph-legend">
      {legend.items.map(({ label, color }) => (
        <li key={label} className={style.item}>
          <span className={style.swatch} style={{ background: color }} />
          {label}
        </li>
      ))}
      {legend.others && <li className={style.item}>{say("graphs.others")}</li>}
    </ul>
  );
}
