/** Each metric over each parameter as a scatter plot matrix. Dragging in a plot filters both of its columns. */

import { type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { paintColor } from "../runs/coloring";
import { hover, useInteraction } from "../view/interaction";
import { useColorScheme } from "../view/theme";
import { change, commit, useView } from "../view/view";
import { cellText, headText, oneLine } from "./cell-text";
import { scaleOf } from "./scales";
import style from "./scatter.module.css";
import {
  type Axis,
  drawPoint,
  drawPoints,
  frame,
  type Grid,
  type Plot,
  placesOf,
  placeX,
  placeY,
  plotAt,
  pointAt,
  xOf,
  yOf,
} from "./scatter-plot";
import { Tip, type TipAt } from "./tip";
import type { TrialColumn } from "./trial-column";
import type { TrialTable } from "./trials";
import { penFor, type Size, useSize } from "./use-canvas";

const LEFT_PX = 84;
const TOP_PX = 8;
const BOTTOM_PX = 40;
const LEAST_PX = 136;
const MAX_PX = 320;
const LOW_PX = 84;
const CLICK_PX = 4;
const LONGEST = 10;
/** Within this share of an axis end, a text fits on one side only. */
const EDGE = 0.15;

interface DragState extends Axis {
  column: TrialColumn;
  name: string;
  places: Float32Array;
}

interface Brush {
  plot: Plot;
  from: readonly [number, number];
  to: readonly [number, number];
}

export function Scatter({ table }: { table: TrialTable }) {
  const say = useWords();
  const { rows, filteredRows } = table;
  const scheme = useColorScheme();
  const outer = useRef<HTMLDivElement>(null);
  const points = useRef<HTMLCanvasElement>(null);
  const top = useRef<HTMLCanvasElement>(null);
  const room = useSize(outer);
  const { xs, ys } = useAxes(table);
  const grid = useMemo(() => gridOf(xs.length, ys.length, room), [xs.length, ys.length, room]);
  const [width, height] = [
    grid.left + grid.columns * grid.width,
    TOP_PX + grid.rows * grid.height + BOTTOM_PX,
  ];
  const colors = useMemo(
    () => table.paints.map((paint) => paintColor(paint, scheme)),
    [table.paints, scheme],
  );
  const places = useMemo(() => new Map(rows.map(({ details }, row) => [details.id, row])), [rows]);
  const hovered = useInteraction((interaction) => interaction.hoveredRun);
  const front = hovered === null ? -1 : (places.get(hovered) ?? -1);
  const [brush, setBrush] = useState<Brush | null>(null);
  const [tip, setTip] = useState<TipAt | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the color scheme changes what the custom properties say
  useEffect(() => {
    const pen = penFor(points.current, { width, height });
    if (!pen) return;
    const faint = getComputedStyle(points.current!).getPropertyValue("--line-strong").trim();
    each(xs, ys, grid, (x, y, plot) =>
      drawPoints(pen, plot, x.places, y.places, rows.length, filteredRows, { faint, colors }),
    );
  }, [xs, ys, grid, rows.length, filteredRows, colors, width, height, scheme]);
  useEffect(() => {
    const pen = penFor(top.current, { width, height });
    if (!pen || front < 0) return;
    const rim = getComputedStyle(top.current!).getPropertyValue("--surface").trim();
    each(xs, ys, grid, (x, y, plot) =>
      drawPoint(pen, plot, [x.places[front]!, y.places[front]!], colors[front]!, rim),
    );
  }, [xs, ys, grid, front, colors, width, height]);

  const rowAt = (x: number, y: number) => {
    const plot = plotAt(grid, x, y);
    return plot ? pointAt(plot, xs[plot.column]!.places, ys[plot.row]!.places, filteredRows, x, y) : -1;
  };
  const down = (event: PointerEvent<HTMLDivElement>) => {
    const at = placeOf(event);
    const plot = event.button === 0 ? plotAt(grid, ...at) : null;
    if (!plot) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setBrush({ plot, from: at, to: at });
  };
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const at = placeOf(event);
    if (!brush) {
      const row = rowAt(...at);
      hover(row < 0 ? null : rows[row]!.details.id, "chart");
      const plot = plotAt(grid, ...at);
      const axes = plot ? [xs[plot.column]!, ys[plot.row]!] : [];
      const lines = axes.map(({ column, name, cells }) => `${name}: ${cellText(column, cells[row] ?? null)}`);
      setTip(row < 0 ? null : { x: event.clientX, y: event.clientY, row, lines });
      return;
    }
    const next = { ...brush, to: at };
    setBrush(next);
    if (isDrag(next)) filterBy(xs[brush.plot.column]!, ys[brush.plot.row]!, next);
  };
  const up = (event: PointerEvent<HTMLDivElement>) => {
    if (!brush) return;
    setBrush(null);
    if (isDrag(brush)) return;
    const row = rowAt(...placeOf(event));
    if (row >= 0) commit({ page: "run", subject: rows[row]!.details.name });
    else clearFilters(xs[brush.plot.column]!.column.id, ys[brush.plot.row]!.column.id);
  };
  if (xs.length === 0 || ys.length === 0) return <p className={style.nothing}>{say("trials.noScatter")}</p>;
  return (
    // biome-ignore-start lint/a11y/noNoninteractiveTabindex: what is wider than the window is scrolled by keys too
    <section
      ref={outer}
      className={style.outer}
      tabIndex={0}
      aria-label={say("trials.mode.scatter")}
      data-testid="scatter"
      data-points={filteredRows.length}
    >
      <div
        className={style.inner}
        style={{ width, height }}
        role="img"
        aria-label={say("trials.scatterOf", {
          count: filteredRows.length,
          metrics: ys.map(({ name }) => name).join(", "),
          columns: xs.map(({ name }) => name).join(", "),
        })}
        data-over={front >= 0 || undefined}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerLeave={() => {
          hover(null, "chart");
          setTip(null);
        }}
      >
        <canvas ref={points} className={style.canvas} style={{ width, height }} />
        <canvas ref={top} className={style.canvas} style={{ width, height }} />
        <svg className={style.frames} width={width} height={height} aria-hidden="true">
          <FilterAreas xs={xs} ys={ys} grid={grid} />
          <Frames xs={xs} ys={ys} grid={grid} />
          {brush && isDrag(brush) && <Drawn brush={brush} />}
        </svg>
      </div>
      {tip && !brush && rows[tip.row] && (
        <Tip at={tip} label={rows[tip.row]!.label} color={colors[tip.row]!} />
      )}
    </section>
    // biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above
  );
}

/** Metrics are on y, everything else on x; without metrics, numbers are plotted against each other. */
function useAxes({ columns, cells, rows, study }: TrialTable): {
  xs: readonly DragState[];
  ys: readonly DragState[];
} {
  const scales = useView((view) => view.hparams.scales);
  return useMemo(() => {
    const all = columns.map((column): DragState => {
      const axis = {
        cells: cells.get(column.id) ?? [],
        scale: scaleOf(cells.get(column.id) ?? [], scales[column.id]),
      };
      return {
        ...axis,
        column,
        name: oneLine(headText(column, study)),
        places: placesOf(axis, rows.length),
      };
    });
    const ys = all.filter(({ column }) => column.kind === "metric");
    const xs = all.filter(({ column }) => column.kind === "config");
    return { xs: xs.length > 0 ? xs : ys, ys };
  }, [columns, cells, rows.length, study, scales]);
}

function each(
  xs: readonly DragState[],
  ys: readonly DragState[],
  grid: Grid,
  call: (x: DragState, y: DragState, plot: Plot) => void,
): void {
  ys.forEach((y, row) => {
    xs.forEach((x, column) => {
      call(x, y, frame(grid, column, row));
    });
  });
}

function Frames({ xs, ys, grid }: { xs: readonly DragState[]; ys: readonly DragState[]; grid: Grid }) {
  const bottom = frame(grid, 0, grid.rows - 1).bottom;
  return (
    <>
      {ys.map(({ column: y, name, scale }, row) => {
        const first = frame(grid, 0, row);
        return (
          <g key={y.id}>
            {xs.map(({ column: x }, column) => {
              const plot = frame(grid, column, row);
              return (
                <rect
                  key={x.id}
                  className={style.frame}
                  x={plot.left}
                  y={plot.top}
                  width={plot.right - plot.left}
                  height={plot.bottom - plot.top}
                  data-testid="scatter-plot"
                  data-x={x.id}
                  data-y={y.id}
                />
              );
            })}
            {ends(scale.ticks).map(({ place, text }) => (
              <text
                key={text}
                className={style.label}
                x={LEFT_PX - 6}
                y={yOf(first, place)}
                dy="0.32em"
                textAnchor="end"
              >
                {short(text)}
              </text>
            ))}
            <text
              className={style.name}
              transform={`translate(14 ${(first.top + first.bottom) / 2}) rotate(-90)`}
              textAnchor="middle"
            >
              {short(name, Math.floor((first.bottom - first.top) / 7))}
            </text>
          </g>
        );
      })}
      {xs.map(({ column: x, name, scale }, column) => {
        const plot = frame(grid, column, 0);
        return (
          <g key={x.id}>
            {ends(scale.ticks).map(({ place, text }) => (
              <text
                key={text}
                className={style.label}
                x={xOf(plot, place)}
                y={bottom + 12}
                textAnchor={anchorOf(place)}
              >
                {short(text, Math.min(LONGEST, Math.floor((plot.right - plot.left) / 14)))}
              </text>
            ))}
            <text className={style.name} x={(plot.left + plot.right) / 2} y={bottom + 28} textAnchor="middle">
              {short(name, Math.floor((plot.right - plot.left) / 7))}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** The filtered area of each plot. */
function FilterAreas({ xs, ys, grid }: { xs: readonly DragState[]; ys: readonly DragState[]; grid: Grid }) {
  const filters = useView((view) => view.hparams.filters);
  const pieces = ({ column, scale }: DragState) => {
    const filter = filters[column.id];
    const found = filter ? scale.pieces(filter) : [];
    return found.length > 0 ? found : null;
  };
  return ys.map((y, row) =>
    xs.map((x, column) => {
      const [across, up] = [pieces(x), pieces(y)];
      if (!across && !up) return null;
      const plot = frame(grid, column, row);
      return (across ?? WHOLE).map(([from, to]) =>
        (up ?? WHOLE).map(([low, high]) => (
          <rect
            key={`${x.column.id} ${y.column.id} ${from} ${low}`}
            className={style.kept}
            x={xOf(plot, from)}
            width={Math.max(2, xOf(plot, to) - xOf(plot, from))}
            y={yOf(plot, high)}
            height={Math.max(2, yOf(plot, low) - yOf(plot, high))}
          />
        )),
      );
    }),
  );
}

const WHOLE = [[0, 1]] as const;

/** The outermost ticks; there is no room for more. */
function ends<Item>(all: readonly Item[]): readonly Item[] {
  return all.length <= 1 ? all : [all[0]!, all.at(-1)!];
}

/** Centred below its tick, except at the edges, where it would leave the plot. */
function anchorOf(place: number): "start" | "middle" | "end" {
  return place < EDGE ? "start" : place > 1 - EDGE ? "end" : "middle";
}

function short(text: string, most = LONGEST): string {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}

function Drawn({ brush: { from, to } }: { brush: Brush }) {
  return (
    <rect
      className={style.brush}
      x={Math.min(from[0], to[0])}
      y={Math.min(from[1], to[1])}
      width={Math.abs(to[0] - from[0])}
      height={Math.abs(to[1] - from[1])}
    />
  );
}

/** Sizes plots to the available room, so that the names of the axes stay in view. */
function gridOf(columns: number, rows: number, room: Size): Grid {
  const px = Math.min(
    MAX_PX,
    Math.max(LEAST_PX, Math.floor((room.width - LEFT_PX - 8) / Math.max(1, columns))),
  );
  const left = Math.floor((room.height - TOP_PX - BOTTOM_PX) / Math.max(1, rows));
  const height = Math.max(LOW_PX, Math.min(px, left));
  return { left: LEFT_PX, top: TOP_PX, width: px, height, columns, rows };
}

function isDrag({ from, to }: Brush): boolean {
  return Math.abs(to[0] - from[0]) >= CLICK_PX || Math.abs(to[1] - from[1]) >= CLICK_PX;
}

function placeOf(event: PointerEvent<HTMLElement>): readonly [number, number] {
  const box = event.currentTarget.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function filterBy(x: DragState, y: DragState, { plot, from, to }: Brush): void {
  const { hparams } = useView.getState();
  const [left, right] = [from[0], to[0]].map((at) => placeX(plot, at)).toSorted((a, b) => a - b);
  const [low, high] = [from[1], to[1]].map((at) => placeY(plot, at)).toSorted((a, b) => a - b);
  const filters = {
    ...hparams.filters,
    [x.column.id]: x.scale.between(left!, right!),
    [y.column.id]: y.scale.between(low!, high!),
  };
  change({ hparams: { ...hparams, filters } });
}

/** A click beside the points clears the filters of a plot. */
function clearFilters(...ids: readonly string[]): void {
  const { hparams } = useView.getState();
  if (!ids.some((id) => id in hparams.filters)) return;
  const filters = Object.fromEntries(Object.entries(hparams.filters).filter(([id]) => !ids.includes(id)));
  commit({ hparams: { ...hparams, filters } });
}
