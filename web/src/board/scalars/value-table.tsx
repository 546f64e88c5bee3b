/** The table under a large chart: each line at the cursor or the pinned step, and over the range. Sortable. */

import { memo, Suspense, useCallback, useMemo, useState } from "react";
import { useWords, type WordId } from "../../i18n/words";
import { naturalOrder } from "../../lib/natural-order";
import { formatStep, formatValue } from "../../lib/number";
import { Button } from "../../ui/button";
import { lazyPart } from "../../ui/lazy-part";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { textPx } from "../../ui/text-width";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { nonfiniteText, partlyNonfiniteText } from "../runs/nonfinite-metrics";
import { useHasJobs } from "../runs/run-jobs";
import { hover, useInteraction } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import { Dash } from "./joined-title";
import { changeOf, type Extreme, type RangeStatistics } from "./statistics";
import { percentText } from "./summary";
import { type Column, lineKey, sortedRows, type ValueRow } from "./value-rows";
import style from "./value-table.module.css";

const MadeByPopover = lazyPart(() => import("../runs/made-by-popover"));

interface ValueTableProps {
  rows: readonly ValueRow[];
  /** Describes the position of the values. */
  caption: string;
  /** Names of the tags, if there are several. */
  names: ReadonlyMap<string, string> | null;
  smoothing: boolean;
  baseline: boolean;
  /** Significant digits of values that are not whole. */
  digits: number;
}

/** Average width of a column, and minimum width of names, which get the remaining room. */
const COLUMN_PX = 96;
const NAME_PX = 70;
/** Above this width names wrap; on a phone earlier, as they stay in view beside the numbers. */
const NAME_MOST_PX = 340;
const PHONE_NAME_PX = 150;
const PHONE_PX = 640;
/** Width of swatch and gaps beside a name. */
const BESIDE_PX = 30;
const FONT = "12px";

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

export function ValueTable({ rows, caption, names, smoothing, baseline, digits }: ValueTableProps) {
  const say = useWords();
  const [open, setOpen] = useState<{ run: LineStyle; anchor: HTMLElement } | null>(null);
  const onJob = useCallback((run: LineStyle, anchor: HTMLElement) => setOpen({ run, anchor }), []);
  const hasJobs = useHasJobs();
  const front = useInteraction((interaction) => interaction.hoveredRun ?? interaction.heldRun);
  const [sort, setSort] = useState<{ column: Column | null; down: boolean }>({ column: null, down: false });
  const sorted = useMemo(() => sortedRows(rows, sort.column, sort.down, naturalOrder), [rows, sort]);
  const columns = (Object.keys(WORDS) as Column[]).filter(
    (column) => (smoothing || column !== "smoothed") && (baseline || column !== "apart"),
  );
  const namePx = useMemo(() => namePxOf(rows, names) + (hasJobs ? BESIDE_PX : 0), [rows, names, hasJobs]);
  const turn = (column: Column) =>
    setSort((was) =>
      was.column !== column
        ? { column, down: column !== "run" }
        : { column: was.down === (column !== "run") ? column : null, down: !was.down },
    );
  return (
    <>
      <section
        className={style.scroll}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long table is scrolled by keys too
        tabIndex={0}
        aria-label={say("full.values")}
        data-testid="value-table"
      >
        <table className={style.table} style={{ minWidth: (columns.length - 1) * COLUMN_PX + namePx }}>
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
                data-run={row.lineStyle.name}
                data-tag={row.tag}
                data-front={row.lineStyle.id === front ? "" : undefined}
                onPointerEnter={() => hover(row.lineStyle.id, "table")}
                onPointerLeave={() => hover(null, "table")}
              >
                <Name lineStyle={row.lineStyle} tag={row.tag} names={names} onJob={hasJobs ? onJob : null} />
                <Cell column="value" value={row.value} text={plainText(row.value, digits)} />
                {smoothing && (
                  <Cell column="smoothed" value={row.smoothed} text={plainText(row.smoothed, digits)} />
                )}
                {baseline && (
                  <Cell column="apart" value={row.apart} text={row.apart === null ? "" : signed(row.apart)} />
                )}
                <Cell column="step" value={row.step} text={row.step === null ? "–" : formatStep(row.step)} />
                <Statistics
                  statistics={row.statistics}
                  drawn={row.drawn}
                  held={row.held}
                  digits={digits - 1}
                />
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Suspense>
        {open && <MadeByPopover run={open.run} anchor={open.anchor} onClose={() => setOpen(null)} />}
      </Suspense>
    </>
  );
}

/** The width of names, however narrow the window is. */
function namePxOf(rows: readonly ValueRow[], names: ReadonlyMap<string, string> | null): number {
  const most = window.innerWidth < PHONE_PX ? PHONE_NAME_PX : NAME_MOST_PX;
  const longest = rows.reduce((px, { lineStyle, tag }) => {
    const text = names ? `${lineStyle.label} ${names.get(tag)}` : lineStyle.label;
    return Math.max(px, textPx(text, FONT));
  }, 0);
  return Math.min(most, Math.max(COLUMN_PX + NAME_PX, Math.ceil(longest) + (names ? 2 : 1) * BESIDE_PX));
}

interface NameProps {
  lineStyle: LineStyle;
  tag: string;
  names: ReadonlyMap<string, string> | null;
  /** Shows which job has made the run; null without jobs. */
  onJob: ((run: LineStyle, anchor: HTMLElement) => void) | null;
}

const Name = memo(function Name({ lineStyle, tag, names, onJob }: NameProps) {
  const say = useWords();
  const scheme = useColorScheme();
  return (
    <th scope="row" className={style.run}>
      <span>
        <Swatch color={colorOf(lineStyle, scheme)} dash={names ? 0 : dashOf(lineStyle)} />
        <WrappedName name={lineStyle.label} title={lineStyle.name} />
        {names && (
          <span className={style.tag} title={tag}>
            <Dash place={[...names.keys()].indexOf(tag)} />
            <bdi>{names.get(tag)}</bdi>
          </span>
        )}
        {onJob && lineStyle.members === null && (
          <Button
            variant="quiet"
            size="small"
            icon="more"
            label={say("madeBy.title", { run: lineStyle.label })}
            onClick={({ currentTarget }) => onJob(lineStyle, currentTarget)}
          />
        )}
      </span>
    </th>
  );
});

/** `value`: the number, for scripts. */
function Cell({ column, value, text, more = null }: CellProps) {
  return (
    <td
      data-column={column}
      data-value={value === null ? undefined : String(value)}
      className={more ? style.lost : undefined}
    >
      {text}
      {more && <span>{more}</span>}
    </td>
  );
}

interface CellProps {
  column: Column;
  value: number | null;
  text: string;
  /** A second line if the line, or some of its members, end in non-finite values. */
  more?: string | null;
}

/** Memoized, as it does not change with the cursor. */
const Statistics = memo(function Statistics({ statistics, drawn, held, digits }: StatisticsProps) {
  const count = drawn === held ? formatStep(held) : `${formatStep(drawn)} / ${formatStep(held)}`;
  if (statistics === null) {
    return (
      <>
        {OVER_RANGE.map((column) => (
          <Cell key={column} column={column} value={null} text="–" />
        ))}
        <Cell column="held" value={null} text={count} />
      </>
    );
  }
  const { start, end, nonfinite, partial, min, max, mean, slope, estimates } = statistics;
  const { by, part } = changeOf(statistics);
  const about = (name: "mean" | "slope") => (estimates.includes(name) ? "≈ " : "");
  const at = ({ value, step }: Extreme) => `${formatValue(value, digits)} @ ${formatStep(step)}`;
  return (
    <>
      <Cell column="start" value={start.value} text={formatValue(start.value, digits)} />
      {nonfinite === null ? (
        <Cell
          column="end"
          value={end.value}
          text={formatValue(end.value, digits)}
          more={partial && partlyNonfiniteText(partial.members, partial.nonfinite)}
        />
      ) : (
        <Cell column="end" value={nonfinite.value} text="" more={nonfiniteText(nonfinite)} />
      )}
      <Cell column="min" value={min.value} text={at(min)} />
      <Cell column="max" value={max.value} text={at(max)} />
      <Cell column="change" value={by} text={Number.isNaN(by) ? "–" : signed(by)} />
      <Cell column="percent" value={null} text={Number.isFinite(part) ? percentText(part) : "–"} />
      <Cell column="mean" value={mean} text={about("mean") + formatValue(mean, digits)} />
      <Cell
        column="slope"
        value={slope}
        text={Number.isNaN(slope) ? "–" : about("slope") + formatValue(slope, 4)}
      />
      <Cell column="held" value={null} text={count} />
    </>
  );
});

interface StatisticsProps {
  statistics: RangeStatistics | null;
  drawn: number;
  held: number;
  digits: number;
}

const OVER_RANGE: readonly Column[] = ["start", "end", "min", "max", "change", "percent", "mean", "slope"];

function plainText(value: number | null, digits: number): string {
  return value === null ? "–" : formatValue(value, digits);
}

function signed(value: number): string {
  return `${value > 0 ? "+" : ""}${formatValue(value, 4)}`;
}
