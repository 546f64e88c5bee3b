/** What the colours stand for. */

import { bytes, shortCount } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import type { GraphColoring } from "../view/graphs-view";
import type { Legend as GraphLegend } from "./coloring";
import style from "./legend.module.css";

export function Legend({ legend, coloring }: { legend: GraphLegend; coloring: GraphColoring }) {
  const say = useWords();
  if (legend.kind === "none") return null;
  if (legend.kind === "ramp") {
    const text = (value: number) =>
      coloring === "memory"
        ? bytes(value)
        : coloring === "time"
          ? `${shortCount(value)} µs`
          : shortCount(value);
    return (
      <div className={style.legend} data-testid="graph-legend">
        <span>{text(legend.from)}</span>
        <span
          className={style.ramp}
          style={{ background: `linear-gradient(to right, ${legend.colors.join()})` }}
        />
        <span>{text(legend.to)}</span>
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
