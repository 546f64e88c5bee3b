/** The legend: categories with their counts, each of which selects its points; or the ends of a ramp. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { rampColor } from "../../lib/ramp";
import { useColorScheme } from "../view/theme";
import type { ColumnValues, Legend as LegendOf } from "./coloring";
import { clearSelection, select, useExploration } from "./exploration";
import { rowsWith } from "./rows";
import style from "./side.module.css";

interface LegendProps {
  title: string;
  legend: LegendOf;
  values: ColumnValues;
}

export function Legend({ title, legend, values }: LegendProps) {
  return (
    <section className={style.part} aria-label={title} data-testid="legend">
      <div className={style.head}>
        <h3 className={style.title}>
          <bdi>{title}</bdi>
        </h3>
      </div>
      {legend.kind === "ramp" ? <Ramp {...legend} /> : <Categories legend={legend} values={values} />}
    </section>
  );
}

function Categories({ legend, values }: { legend: LegendOf & { kind: "categories" }; values: ColumnValues }) {
  const say = useWords();
  const chosen = useExploration((exploring) => exploring.category);
  const press = (code: number) => {
    if (code === chosen) clearSelection();
    else if (values.kind === "category") select(rowsWith(values.codes, code), code);
  };
  return (
    <>
      <ul className={style.list}>
        {legend.items.map(({ code, label, color, shape, count: held }) => (
          <li key={code}>
            <button
              type="button"
              className={style.item}
              aria-pressed={code === chosen}
              onClick={() => press(code)}
              title={label}
              data-testid="legend-item"
              data-label={label}
              data-color={color}
              data-count={held}
            >
              <ShapeMark color={color} shape={shape} />
              <bdi className={style.label}>{label === "" ? say("projector.noLabel") : label}</bdi>
              <span className={style.end}>{count(held)}</span>
            </button>
          </li>
        ))}
      </ul>
      {legend.others > 0 && <p className={style.note}>{say("projector.others", { count: legend.others })}</p>}
    </>
  );
}

const STOPS = [0, 0.25, 0.5, 0.75, 1];

function Ramp({ from, to, log }: LegendOf & { kind: "ramp" }) {
  const say = useWords();
  const scheme = useColorScheme();
  const stops = STOPS.map((part) => rampColor(part, scheme)).join(", ");
  return (
    <div>
      <div className={style.ramp} style={{ background: `linear-gradient(to right, ${stops})` }} />
      <div className={style.ends}>
        <span>{formatValue(from, 4)}</span>
        {log && <span>{say("projector.log")}</span>}
        <span>{formatValue(to, 4)}</span>
      </div>
    </div>
  );
}

interface ShapeMarkProps {
  color: string;
  /** As in the palette: disc, ring, square, diamond. */
  shape: number;
}

export function ShapeMark({ color, shape }: ShapeMarkProps) {
  return (
    <svg
      width={12}
      height={12}
      viewBox="-6 -6 12 12"
      aria-hidden="true"
      focusable="false"
      style={{ flex: "none" }}
    >
      {shape === 0 && <circle r={4.5} fill={color} />}
      {shape === 1 && <circle r={3.5} fill="none" stroke={color} strokeWidth={2} />}
      {shape === 2 && <rect x={-4} y={-4} width={8} height={8} fill={color} />}
      {shape === 3 && <path d="M0-5.5 5.5 0 0 5.5-5.5 0z" fill={color} />}
    </svg>
  );
}
