/** The table under a large chart: every line at the cursor or the pinned step, and over the range. It can be sorted. */

import { useMemo, useState } from "react";
import { formatStep, formatValue } from "../../base/number";
import { colorOf, dashOf } from "../../state/looks";
import { naturalOrder } from "../../state/natural";
import { hover, useScene } from "../../state/scene";
import { useShade } from "../../state/theme";
import { Swatch } from "../../widgets/swatch";
import { useWords, type WordId } from "../../words/words";
import { Dash } from "./joined-title";
import { percentText } from "./summary";
import style from "./value-table.module.css";
import { type Column, lineKey, sortedRows, type ValueRow } from "./values";

interface ValueTableProps {
  rows: readonly ValueRow[];
  /** What the values stand at, in words. */
  caption: string;
  /** Names of the tags, if there are several. */
  names: ReadonlyMap<string, string> | null;
  smoothing: boolean;
  baseline: boolean;
}

const WORDS: Record<Column, WordId> = {
  run: "values.run",
  value: "values.value",
  smoothed: "values.smoothed",
  apart: "values.apart",
  step: "values.step",
  start: "values.start",
  end: "values.end",
  min: "values.min",
  max: "values.max",
  change: "values.change",
  percent: "values.percent",
  mean: "values.mean",
  slope: "values.slope",
  held: "values.held",
};

export function ValueTable({ rows, caption, names, smoothing, baseline }: ValueTableProps) {
  const say = useWords();
  const shade = useShade();
  const front = useScene((scene) => scene.hovered ?? scene.held);
  const [sort, setSort] = useState<{ column: Column | null; down: boolean }>({ column: null, down: false });
  const sorted = useMemo(() => sortedRows(rows, sort.column, sort.down, naturalOrder), [rows, sort]);
  const columns = (Object.keys(WORDS) as Column[]).filter(
    (column) => (smoothing || column !== "smoothed") && (baseline || column !== "apart"),
  );
  const turn = (column: Column) =>
    setSort((was) =>
      was.column !== column
        ? { column, down: column !== "run" }
        : { column: was.down === (column !== "run") ? column : null, down: !was.down },
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys too
    <section className={style.scroll} tabIndex={0} aria-label={say("full.values")} data-testid="value-table">
      <table className={style.table}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={column === "run" ? style.run : undefined}
                aria-sort={sort.column !== column ? "none" : sort.down ? "descending" : "ascending"}
                data-column={column}
              >
                <button type="button" onClick={() => turn(column)}>
                  {say(WORDS[column])}
                  <span aria-hidden="true" className={style.arrow}>
                    {sort.column === column ? (sort.down ? "↓" : "↑") : ""}
                  </span>
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr
              key={lineKey(row)}
              data-run={row.look.name}
              data-tag={row.tag}
              data-front={row.look.id === front ? "" : undefined}
              onPointerEnter={() => hover(row.look.id, "table")}
              onPointerLeave={() => hover(null, "table")}
            >
              {columns.map((column) =>
                column === "run" ? (
                  <th key={column} scope="row" className={style.run}>
                    <span>
                      <Swatch color={colorOf(row.look, shade)} dash={names ? 0 : dashOf(row.look)} />
                      <bdi title={row.look.name}>{row.look.label}</bdi>
                      {names && (
                        <span className={style.tag} title={row.tag}>
                          <Dash place={[...names.keys()].indexOf(row.tag)} />
                          <bdi>{names.get(row.tag)}</bdi>
                        </span>
                      )}
                    </span>
                  </th>
                ) : (
                  <td key={column} data-column={column} data-value={exact(row, column)}>
                    {cellText(row, column)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const DIGITS = 5;

function cellText(row: ValueRow, column: Column): string {
  const { statistics } = row;
  switch (column) {
    case "run":
      return row.look.label;
    case "value":
    case "smoothed":
      return row[column] === null ? "–" : formatValue(row[column], 6);
    case "apart":
      return row.apart === null ? "" : signed(row.apart);
    case "step":
      return row.step === null ? "–" : formatStep(row.step);
    case "held":
      return row.drawn === row.held
        ? formatStep(row.held)
        : `${formatStep(row.drawn)} / ${formatStep(row.held)}`;
  }
  if (statistics === null) return "–";
  const about = statistics.sampled ? "≈ " : "";
  const by = statistics.end.value - statistics.start.value;
  switch (column) {
    case "start":
    case "end":
      return formatValue(statistics[column].value, DIGITS);
    case "min":
    case "max":
      return `${formatValue(statistics[column].value, DIGITS)} @ ${formatStep(statistics[column].step)}`;
    case "change":
      return signed(by);
    case "percent": {
      const part = by / Math.abs(statistics.start.value);
      return Number.isFinite(part) ? percentText(part) : "–";
    }
    case "mean":
      return about + formatValue(statistics.mean, DIGITS);
    case "slope":
      return Number.isNaN(statistics.slope) ? "–" : about + formatValue(statistics.slope, 4);
  }
}

/** The number itself, for whoever reads the page with a script. */
function exact({ value, smoothed, apart, step, statistics }: ValueRow, column: Column): string | undefined {
  const plain: Partial<Record<Column, number | null | undefined>> = {
    value,
    smoothed,
    apart,
    step,
    start: statistics?.start.value,
    end: statistics?.end.value,
    min: statistics?.min.value,
    max: statistics?.max.value,
    change: statistics && statistics.end.value - statistics.start.value,
    mean: statistics?.mean,
    slope: statistics?.slope,
  };
  const found = plain[column];
  return found === null || found === undefined ? undefined : String(found);
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${formatValue(value, 4)}`;
}
