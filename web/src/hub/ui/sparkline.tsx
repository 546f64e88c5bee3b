/** A small curve of a metric, without axes. */

import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { curveOf, type Points, rangeOf } from "../data/metrics";
import style from "./sparkline.module.css";

export function Sparkline({ name, points }: { name: string; points: Points }) {
  const say = useWords();
  const x = rangeOf(points.steps);
  const y = rangeOf(points.values);
  if (!x || !y) return null;
  const label = say("hub.metric.curve", { name, low: formatValue(y.low, 4), high: formatValue(y.high, 4) });
  return (
    <svg
      className={style.curve}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path d={curveOf(points, x, y)} />
    </svg>
  );
}
