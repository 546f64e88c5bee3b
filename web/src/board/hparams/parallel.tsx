/** Trials as parallel coordinates. Dragging along an axis filters; its header changes scale and position. */

import { type PointerEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { paintColor } from "../runs/coloring";
import type { Cell } from "../runs/column";
import { hover, useInteraction } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import { change, commit, useView } from "../view/view";
import { AxisHead } from "./axis-head";
import { cellText, headText, oneLine } from "./cell-text";
import { setFilter } from "./filter-popover";
import style from "./parallel.module.css";
import { type Box, drawFront, drawLines, layLines, lineAt, MISSING_PX } from "./parallel-plot";
import { type Scale, scaleOf, spaceOut } from "./scales";
import { Tip, type TipAt } from "./tip";
import type { TrialColumn } from "./trial-column";
import type { TrialTable } from "./trials";
import { penFor, useSize } from "./use-canvas";

const LEFT_PX = 72;
const RIGHT_PX = 72;
const LEAST_PX = 104;
const TOP_PX = 12;
const BOTTOM_PX = 14;
/** Distance to an axis within which a press starts a brush. */
const GRIP_PX = 14;
const CLICK_PX = 4;
const LONGEST = 12;
/** Height of the text of a tick. */
const LABEL_PX = 13;

interface Brush {
  axis: number;
  from: number;
  to: number;
}

export function Parallel({ table }: { table: TrialTable }) {
  const say = useWords();
  const { rows, filteredRows, cells, study } = table;
  const columns = useMemo(() => table.columns.filter(({ kind }) => kind !== "info"), [table.columns]);
  const scheme = useColorScheme();
  const view = useView((each) => each.hparams);
  const plot = useRef<HTMLDivElement>(null);
  const lines = useRef<HTMLCanvasElement>(null);
  const top = useRef<HTMLCanvasElement>(null);
  const outer = useRef<HTMLDivElement>(null);
  const room = useSize(outer);
  const { height } = useSize(plot);
  const width = Math.max(room.width, LEFT_PX + RIGHT_PX + LEAST_PX * (columns.length - 1));
  const axes = useMemo(
    () =>
      columns.map((column) => {
        const columnCells = cells.get(column.id) ?? [];
        return { column, cells: columnCells, scale: scaleOf(columnCells, view.scales[column.id]) };
      }),
    [columns, cells, view.scales],
  );
  const box = useMemo(() => boxOf(columns.length, width, height), [columns.length, width, height]);
  const ys = useMemo(() => layLines(axes, rows.length, box), [axes, rows.length, box]);
  const colors = useMemo(
    () => table.paints.map((paint) => paintColor(paint, scheme)),
    [table.paints, scheme],
  );
  const places = useMemo(() => new Map(rows.map(({ details }, row) => [details.id, row])), [rows]);
  const hovered = useInteraction((interaction) => interaction.hoveredRun);
  const front = hovered === null ? -1 : (places.get(hovered) ?? -1);
  const [brush, setBrush] = useState<Brush | null>(null);
  const [tip, setTip] = useState<TipAt | null>(null);
  // Drawing ten thousand lines takes a moment, and the brush must not wait for it.
  const drawn = useDeferredValue(filteredRows);

  const names = axes.map(({ column }) => oneLine(headText(column, study)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: the color scheme changes what the custom properties say
  useEffect(() => {
    const pen = penFor(lines.current, { width, height });
    if (!pen) return;
    const faint = getComputedStyle(lines.current!).getPropertyValue("--line").trim();
    drawLines(pen, ys, rows.length, drawn, box, { faint, colors });
  }, [ys, rows.length, drawn, box, colors, width, height, scheme]);
  useEffect(() => {
    const pen = penFor(top.current, { width, height });
    if (!pen || front < 0) return;
    const rim = getComputedStyle(top.current!).getPropertyValue("--surface").trim();
    drawFront(pen, ys, front, box, colors[front]!, rim);
  }, [ys, front, box, colors, width, height]);

  const axisAt = (x: number) => box.axes.findIndex((at) => Math.abs(at - x) <= GRIP_PX);
  const down = (event: PointerEvent<HTMLDivElement>) => {
    const { x, y } = placeOf(event);
    const axis = event.button === 0 ? axisAt(x) : -1;
    if (axis < 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setBrush({ axis, from: y, to: y });
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const { x, y } = placeOf(event);
    if (!brush) {
      const row = lineAt(ys, filteredRows, box, x, y);
      hover(row < 0 ? null : rows[row]!.details.id, "chart");
      const axis = nearest(box.axes, x);
      setTip(
        row < 0
          ? null
          : { x: event.clientX, y: event.clientY, row, lines: [valueOn(axes[axis]!, names[axis]!, row)] },
      );
      return;
    }
    setBrush({ ...brush, to: y });
    if (Math.abs(y - brush.from) >= CLICK_PX) filterBy(axes[brush.axis]!, brush.from, y, box);
  };
  const up = (event: PointerEvent<HTMLDivElement>) => {
    const { x, y } = placeOf(event);
    if (brush) {
      if (Math.abs(y - brush.from) < CLICK_PX) setFilter(columns[brush.axis]!.id, null);
      setBrush(null);
      return;
    }
    const row = event.button === 0 ? lineAt(ys, filteredRows, box, x, y) : -1;
    if (row >= 0) commit({ page: "run", subject: rows[row]!.details.name });
  };
  const gaps = useMemo(
    () => axes.map(({ cells: held, scale }) => held.some((cell) => scale.place(cell) === null)),
    [axes],
  );
  return (
    <div ref={outer} className={style.outer} data-testid="parallel" data-lines={filteredRows.length}>
      <div className={style.inner} style={{ width }}>
        <div className={style.heads}>
          {axes.map(({ column, scale, cells: held }, at) => (
            <AxisHead
              key={column.id}
              column={column}
              columns={table.columns}
              scale={scale}
              cells={held}
              study={study}
              x={box.axes[at]!}
              px={Math.min(2 * RIGHT_PX, spacing(box)) - 8}
            />
          ))}
        </div>
        <div
          ref={plot}
          className={style.plot}
          role="img"
          aria-label={say("trials.parallelOf", { count: filteredRows.length, columns: names.join(", ") })}
          data-over={front >= 0 || undefined}
          onPointerDown={down}
          onPointerMove={move}
          onPointerUp={up}
          onPointerLeave={() => {
            hover(null, "chart");
            setTip(null);
          }}
        >
          <canvas ref={lines} className={style.canvas} style={{ width, height }} />
          <canvas ref={top} className={style.canvas} style={{ width, height }} />
          <svg className={style.axes} width={width} height={height} aria-hidden="true">
            {axes.map(({ column, scale }, at) => (
              <Axis
                key={column.id}
                scale={scale}
                x={box.axes[at]!}
                box={box}
                gaps={gaps[at]!}
                filter={view.filters[column.id]}
                drawn={brush?.axis === at ? brush : null}
              />
            ))}
          </svg>
        </div>
      </div>
      {tip && !brush && rows[tip.row] && (
        <Tip at={tip} label={rows[tip.row]!.label} color={colors[tip.row]!} />
      )}
    </div>
  );
}

function nearest(axes: readonly number[], x: number): number {
  return axes.reduce((best, at, axis) => (Math.abs(at - x) < Math.abs(axes[best]! - x) ? axis : best), 0);
}

/** "lr 3e-4" */
function valueOn(
  { column, cells }: { column: TrialColumn; cells: readonly Cell[] },
  name: string,
  row: number,
): string {
  return `${name}: ${cellText(column, cells[row] ?? null) || "–"}`;
}

interface AxisProps {
  scale: Scale;
  /** Some rows have no value. */
  gaps: boolean;
  x: number;
  box: Box;
  filter: Parameters<Scale["pieces"]>[0] | undefined;
  drawn: Brush | null;
}

function Axis({ scale, gaps, x, box: { top, bottom }, filter, drawn }: AxisProps) {
  const say = useWords();
  const y = (place: number) => bottom - place * (bottom - top);
  const labelledTicks = new Set(spaceOut(scale.ticks, LABEL_PX / (bottom - top)));
  const pieces = drawn
    ? [[Math.min(drawn.from, drawn.to), Math.max(drawn.from, drawn.to)] as const]
    : (filter ? scale.pieces(filter) : []).map(([low, high]) => [y(high), y(low)] as const);
  return (
    <g>
      <line className={style.axis} x1={x} x2={x} y1={top} y2={bottom} />
      {gaps && (
        <text className={style.label} x={x - 7} y={bottom + MISSING_PX} dy="0.32em" textAnchor="end">
          {say("trials.none")}
        </text>
      )}
      {pieces.map(([from, to]) => (
        <rect
          key={from}
          className={style.brush}
          x={x - 8}
          width={16}
          y={from}
          height={Math.max(2, to - from)}
          rx={2}
        />
      ))}
      {scale.ticks.map((tick) => (
        <g key={tick.text}>
          <line className={style.tick} x1={x - 4} x2={x} y1={y(tick.place)} y2={y(tick.place)} />
          {labelledTicks.has(tick) && (
            <text className={style.label} x={x - 7} y={y(tick.place)} dy="0.32em" textAnchor="end">
              {tick.text.length > LONGEST ? `${tick.text.slice(0, LONGEST - 1)}…` : tick.text}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Evenly spaced axes. */
function boxOf(count: number, width: number, height: number): Box {
  const room = Math.max(0, width - LEFT_PX - RIGHT_PX);
  const axes = Array.from(
    { length: count },
    (_, at) => LEFT_PX + (count > 1 ? (room * at) / (count - 1) : room / 2),
  );
  return { top: TOP_PX, bottom: Math.max(TOP_PX + 1, height - BOTTOM_PX - MISSING_PX), axes };
}

function spacing({ axes }: Box): number {
  return axes.length > 1 ? axes[1]! - axes[0]! : 180;
}

function placeOf(event: PointerEvent<HTMLElement>): { x: number; y: number } {
  const box = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

/** A brush sets the filter; a drag is one undo step. */
function filterBy(
  { column, scale }: { column: { id: string }; scale: Scale },
  from: number,
  to: number,
  { top, bottom }: Box,
): void {
  const place = (y: number) => (bottom - y) / (bottom - top);
  const filter = scale.between(place(Math.max(from, to)), place(Math.min(from, to)));
  const { hparams } = useView.getState();
  change({ hparams: { ...hparams, filters: { ...hparams.filters, [column.id]: filter } } });
}
