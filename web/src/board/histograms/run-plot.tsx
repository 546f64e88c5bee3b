/**
 * The histograms of one run over steps, on two canvases: a static one, and one that follows the cursor. Arrow keys
 * move the cursor from column to column, a click pins the step, a horizontal drag zooms all cards in x.
 */

import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { fontOf } from "../../chart/pen";
import { devicePixels } from "../../chart/surface";
import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { colorOf, type LineStyle } from "../runs/line-styles";
import { type Cursor, hover, moveCursor, useInteraction } from "../view/interaction";
import { followLastStep, setStep } from "../view/steps";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { zoomAll, zoomBack } from "../view/zoom";
import { columnAt, columnAxis, columnOf, filledShare } from "./columns";
import { curveAt, drawCursor, drawPicture } from "./draw";
import { type HistogramBlock, type HistogramMap, knownHistogram, useHistogram } from "./histograms";
import { measureWith } from "./measure";
import { paintCells } from "./paint";
import { composePicture, isCurves, type Picture } from "./picture";
import { bucketsOf, profileOf } from "./profile";
import { rampOf, rampTheme } from "./ramp-theme";
import style from "./run-plot.module.css";
import { tip } from "./tip";
import { readingOf, stepText } from "./tip-content";
import { useSize } from "./use-size";

export interface RunPlotProps {
  tag: string;
  lineStyle: LineStyle;
  map: HistogramMap;
  block: HistogramBlock;
  /** x of all runs of the tag. */
  span: readonly [number, number];
  onFull?(): void;
}

/** How long the pointer rests before all buckets are fetched. */
const REST_MS = 90;
/** Distance at which a drag begins. */
const DRAG_PX = 6;
const LEAST_ZOOM_PX = 8;

export function RunPlot({ tag, lineStyle, map, block, span, onFull }: RunPlotProps) {
  const say = useWords();
  const host = useRef<HTMLDivElement>(null);
  const still = useRef<HTMLCanvasElement>(null);
  const moving = useRef<HTMLCanvasElement>(null);
  const over = useRef(false);
  const drag = useRef<Drag | null>(null);
  const dragged = useRef(false);
  /** The pointer position, and whether the tooltip there has all buckets. */
  const pointed = useRef<Place | null>(null);
  const exactShown = useRef(false);
  const size = useSize(host);
  const picture = usePicture({ lineStyle, map, block, span }, size);
  const pin = useView((view) => view.pin?.step ?? null);
  const [rested, setRested] = useState<number | null>(null);
  const [spoken, speak] = useState("");
  // Without a cursor the pinned step is shown, otherwise the last one.
  const exactStep = rested ?? (picture?.bars ? (block.steps[columnOf(block, pin)] ?? null) : null);
  useHistogram(exactStep === null ? null : { run: lineStyle.name, tag, step: exactStep });

  useEffect(() => {
    if (!picture || !still.current) return;
    const ratio = devicePixels();
    const context = prepare(still.current, picture.size, ratio);
    drawPicture(context, picture, ratio, (each) => paintCells(context, each, ratio));
  }, [picture]);

  useEffect(() => {
    if (!picture || !moving.current) return;
    const canvas = moving.current;
    const draw = () =>
      drawOver(canvas, picture, { run: lineStyle.name, tag, own: over.current, drag: drag.current });
    draw();
    redraws.set(canvas, draw);
    const stop = useInteraction.subscribe((interaction, before) => {
      if (interaction.cursor !== before.cursor) draw();
    });
    return () => {
      stop();
      redraws.delete(canvas);
    };
  }, [picture, tag, lineStyle.name]);

  // The pin may have moved, or buckets loaded.
  useEffect(() => redraws.get(moving.current!)?.());
  useEffect(() => {
    if (over.current && pointed.current && !exactShown.current && rested !== null) point(pointed.current);
  });

  useEffect(() => () => leave(over), []);

  const point = (event: Place) => {
    if (!picture || !host.current) return;
    pointed.current = { clientX: event.clientX, clientY: event.clientY };
    const box = host.current.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const column = columnUnder(picture, x, y);
    if (column < 0) return;
    over.current = true;
    hover(lineStyle.id, "chart");
    moveCursor(cursorOf(picture, column, tag));
    const value = isCurves(picture.mode) ? picture.x.invert(x) : picture.y.invert(y);
    const step = block.steps[column]!;
    const known = knownHistogram({ run: lineStyle.name, tag, step });
    const buckets = known && block.members === null ? bucketsOf(known) : null;
    exactShown.current = buckets !== null;
    tip().show(
      readingOf(block, map.rows, column, value, picture.axis, buckets),
      { label: lineStyle.label, color: picture.color },
      event.clientX,
      event.clientY,
      host.current,
    );
    rest.later(() => setRested(step));
  };
  const rest = useRest();

  const go = (event: KeyboardEvent) => {
    if (!picture || event.ctrlKey || event.metaKey || event.altKey) return;
    const now = columnOf(block, useInteraction.getState().cursor?.step ?? pin);
    const to = columnAfter(event, now, block.steps.length);
    if (to !== null) {
      over.current = true;
      moveCursor(cursorOf(picture, to, tag));
      setRested(block.steps[to]!);
      const median = formatValue(block.lines[4]![to]!, 4);
      speak(`${stepText(block, to)}, ${say("hist.median")} ${median}`);
    } else if (event.key === "Enter" && onFull) onFull();
    else if (event.code === "KeyM" || event.key.toLowerCase() === "m") pinColumn(block, now);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const down = (event: PointerEvent) => {
    if (event.button !== 0 || !picture || isCurves(picture.mode) || event.pointerType === "touch") return;
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    drag.current = { from: x, to: x, moved: false };
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent) => {
    const now = drag.current;
    if (now) {
      now.to = event.clientX - event.currentTarget.getBoundingClientRect().left;
      now.moved ||= Math.abs(now.to - now.from) >= DRAG_PX;
      if (now.moved) {
        tip().hide();
        redraws.get(moving.current!)?.();
        return;
      }
    }
    point(event);
  };
  const up = () => {
    const done = drag.current;
    drag.current = null;
    redraws.get(moving.current!)?.();
    if (done?.moved && picture) {
      const [from, to] = [done.from, done.to].sort((a, b) => a - b) as [number, number];
      if (to - from >= LEAST_ZOOM_PX) zoomAll([picture.x.invert(from), picture.x.invert(to)], true);
      dragged.current = true;
    }
  };
  const click = (event: Place) => {
    if (dragged.current) {
      dragged.current = false;
      return;
    }
    if (!picture || !host.current) return;
    const box = host.current.getBoundingClientRect();
    // Click coordinates are rounded: use the last pointer position.
    const { clientX, clientY } = pointed.current ?? event;
    pinColumn(block, columnUnder(picture, clientX - box.left, clientY - box.top));
  };

  const label = sentence(say, tag, lineStyle.label, block);
  return (
    <>
      <div
        ref={host}
        role="img"
        className={style.host}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the cursor over the histograms
        tabIndex={0}
        aria-label={label}
        data-columns={block.steps.length}
        data-mass={filledShare(block, 1, 7).toFixed(3)}
        data-low={block.low}
        data-high={block.high}
        onKeyDown={go}
        onBlur={() => {
          leave(over);
          setRested(null);
        }}
        onPointerDown={down}
        onPointerMove={move}
        onPointerUp={up}
        onPointerCancel={() => {
          drag.current = null;
        }}
        onPointerLeave={() => {
          pointed.current = null;
          rest.stop();
          leave(over);
          setRested(null);
        }}
        onClick={click}
        onDoubleClick={zoomBack}
      >
        <canvas ref={still} className={style.canvas} />
        <canvas ref={moving} className={style.canvas} />
      </div>
      <span className={style.hidden} role="status">
        {spoken}
      </span>
    </>
  );
}

type Place = Pick<MouseEvent, "clientX" | "clientY">;

interface Drag {
  from: number;
  to: number;
  moved: boolean;
}

/** Redraws each canvas for pointer moves, without React. */
const redraws = new WeakMap<HTMLCanvasElement, () => void>();

function usePicture(
  { lineStyle, map, block, span }: Pick<RunPlotProps, "lineStyle" | "map" | "block" | "span">,
  size: { width: number; height: number } | null,
): Picture | null {
  const say = useWords();
  const scheme = useColorScheme();
  const mode = useView((view) => view.histogramMode);
  const axis = useView((view) => columnAxis(view.axis));
  const log = useView((view) => view.logCount);
  const order = say(mode === "overlay" ? "hist.newestOnTop" : "hist.newestInFront");
  return useMemo(() => {
    if (!size) return null;
    const { theme, colors } = rampTheme(scheme);
    const color = colorOf(lineStyle, scheme);
    const model = {
      block,
      rows: map.rows,
      top: map.top,
      mode,
      axis,
      span,
      log,
      color,
      theme,
      colors: isCurves(mode) ? rampOf(theme, color) : colors,
      words: { order },
    };
    return composePicture(model, size, measureWith(fontOf(theme)));
  }, [size, lineStyle, map, block, span, scheme, mode, axis, log, order]);
}

function prepare(
  canvas: HTMLCanvasElement,
  { width, height }: { width: number; height: number },
  ratio: number,
): CanvasRenderingContext2D {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  const context = canvas.getContext("2d")!;
  // Resizing costs more than clearing, and this runs on every pointer move.
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}

interface Owned {
  run: string;
  tag: string;
  own: boolean;
  drag: Drag | null;
}

function drawOver(canvas: HTMLCanvasElement, picture: Picture, { run, tag, own, drag }: Owned): void {
  const ratio = devicePixels();
  const context = prepare(canvas, picture.size, ratio);
  const { block, bars, plot } = picture;
  const { cursor } = useInteraction.getState();
  const pin = useView.getState().pin?.step ?? null;
  const pinned = cursor === null && pin !== null;
  const step = cursor === null ? pin : cursor.step;
  const column = columnOf(block, step);
  const how = cursor !== null ? (own ? "own" : "elsewhere") : pinned ? "pinned" : "rest";
  const profile = bars && column >= 0 ? profileAt(picture, run, tag, column) : null;
  drawCursor(context, picture, { column, how, profile }, ratio);
  if (drag?.moved) {
    context.globalAlpha = 0.12;
    context.fillStyle = picture.theme.accent;
    context.fillRect(drag.from, plot.top, drag.to - drag.from, plot.bottom - plot.top);
    context.globalAlpha = 1;
  }
}

/** From all buckets if loaded, otherwise from the drawn cells. */
function profileAt({ block, bars, rows }: Picture, run: string, tag: string, column: number): Float32Array {
  const known = block.members === null ? knownHistogram({ run, tag, step: block.steps[column]! }) : null;
  if (!known) return block.cells.subarray(column * rows, (column + 1) * rows);
  return profileOf(bucketsOf(known), block.low, block.high, Math.round(bars!.bottom - bars!.top));
}

function columnUnder(picture: Picture, x: number, y: number): number {
  return isCurves(picture.mode) ? curveAt(picture, x, y) : columnAt(picture.edges, picture.x.invert(x));
}

function cursorOf({ places, block }: Picture, column: number, tag: string): Cursor {
  return { x: places[column]!, step: block.steps[column]!, tag };
}

/** Pins the step of a column; again, it unpins it. */
function pinColumn(block: HistogramBlock, column: number): void {
  const step = block.steps[column];
  if (step === undefined) return;
  if (useView.getState().pin?.step === step) followLastStep();
  else setStep(step);
}

function leave(over: { current: boolean }): void {
  if (!over.current) return;
  over.current = false;
  tip().hide();
  moveCursor(null);
  hover(null, "chart");
}

function columnAfter({ key, shiftKey }: KeyboardEvent, now: number, count: number): number | null {
  const stride = shiftKey ? 10 : 1;
  const to: Record<string, number> = {
    ArrowLeft: now - stride,
    ArrowRight: now + stride,
    Home: 0,
    End: count - 1,
  };
  const found = to[key];
  return found === undefined || count === 0 ? null : Math.min(count - 1, Math.max(0, found));
}

function useRest() {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useMemo(
    () => ({
      later(work: () => void) {
        clearTimeout(timer.current);
        timer.current = setTimeout(work, REST_MS);
      },
      stop: () => clearTimeout(timer.current),
    }),
    [],
  );
}

/** A text alternative for screen readers. */
function sentence(say: ReturnType<typeof useWords>, tag: string, run: string, block: HistogramBlock): string {
  const last = block.steps.length - 1;
  if (last < 0) return say("hist.sentenceEmpty", { tag, run });
  const at = (line: number) => formatValue(block.lines[line]![last]!, 3);
  return say("hist.sentence", {
    tag,
    run,
    count: block.valueCount,
    from: block.steps[0]!,
    to: block.lastSteps?.[last] ?? block.steps[last]!,
    median: at(4),
    low: at(2),
    high: at(6),
  });
}
