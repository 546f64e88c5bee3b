/** Small charts of a few lines each, with the last value of every line below. */

import type { ReactNode } from "react";
import { curveOf, MAX_LINES, type Points, type Range, rangeOf } from "../data/metrics";
import style from "./small-chart.module.css";

export function SmallCharts({ children }: { children: ReactNode }) {
  return <div className={style.charts}>{children}</div>;
}

export interface ChartLine {
  key: string;
  /** "" for the only line. */
  name: string;
  /** Which of the MAX_LINES colors it has. */
  color: number;
  points: Points;
  value: string;
  /** Whether the value is a number; else it is marked. */
  finite: boolean;
  /** Beside the value. */
  note: string;
  hint?: string;
}

export interface SmallChartProps {
  title: string;
  /** What the horizontal axis shows. */
  span: string;
  /** The vertical axis; that of the values by default. */
  range?: Range | null;
  format: (value: number) => string;
  lines: readonly ChartLine[];
  /** Says how many more lines there are, "" for none. */
  left: string;
  testId: string;
}

export function SmallChart({ title, span, range, format, lines, left, testId }: SmallChartProps) {
  const x = rangeOf(lines.flatMap(({ points }) => points.steps));
  const y = range ?? rangeOf(lines.flatMap(({ points }) => points.values));
  return (
    <figure className={style.chart} data-testid={testId}>
      <figcaption>
        <bdi className={style.tag} title={title}>
          {title}
        </bdi>
      </figcaption>
      <div className={style.frame}>
        <div className={style.ticks}>{y && format(y.high)}</div>
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          role="img"
          aria-label={[title, span].filter(Boolean).join(", ")}
        >
          {x &&
            y &&
            lines
              .map(({ key, color, points }) => (
                <path key={key} className={colorOf(color)} d={curveOf(points, x, y)} />
              ))
              .toReversed()}
        </svg>
        <div className={style.ticks}>
          <span>{y && y.low < y.high && format(y.low)}</span>
          <span>{span}</span>
        </div>
      </div>
      <ul className={style.lines}>
        {lines.map(({ key, ...line }) => (
          <Line key={key} {...line} />
        ))}
        {left && <li className={style.left}>{left}</li>}
      </ul>
    </figure>
  );
}

const colorOf = (color: number) => style[`line${color % MAX_LINES}`]!;

/** The last value of a line. */
function Line({ name, color, value, finite, note, hint }: Omit<ChartLine, "key">) {
  return (
    <li title={hint}>
      <span className={`${style.swatch} ${colorOf(color)}`} />
      {name && <bdi className={style.name}>{name}</bdi>}
      <span className={finite ? style.value : style.notFinite}>{value}</span>
      <span className={style.step}>{note}</span>
    </li>
  );
}
