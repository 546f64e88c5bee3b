/**
 * One plot of curves: a canvas for the lines, a second one for the marks of the threshold, and pointer input. Holds
 * no data beyond the last model.
 */

import { readTheme } from "../../chart";
import { frames } from "../../chart/scheduler";
import { addSurface, clearSurface, devicePixels, removeSurface, type Surface } from "../../chart/surface";
import { highlighted, useInteraction } from "../view/interaction";
import { onColorScheme } from "../view/theme";
import {
  compose,
  curvePointsAt,
  drawBox,
  drawCurves,
  drawThreshold,
  type Layout,
  type Model,
  nearest,
  type Size,
  thresholdOf,
} from "./draw";
import type { Domain } from "./points";

/** Options from the page; colours and the highlighted run are added here. */
export type CurveOptions = Omit<Model, "theme" | "highlighted">;

export interface PointedThreshold {
  run: number;
  threshold: number;
  clientX: number;
  clientY: number;
}

export interface PlotEvents {
  onPointed(pointed: PointedThreshold | null): void;
  /** A click. */
  onMark(threshold: number): void;
  /** A box was selected; null resets the zoom. */
  onZoom(domain: Domain | null): void;
}

/** Movement from which on a press is a drag. */
const DRAG_PX = 5;

export class CurvePlot {
  readonly #host: HTMLElement;
  readonly #events: PlotEvents;
  readonly #under: Surface;
  readonly #over: Surface;
  readonly #stops: (() => void)[];
  readonly #drawKey = {};
  readonly #markKey = {};
  #theme;
  #given: CurveOptions | null = null;
  #threshold: number | null = null;
  #size: Size = { width: 0, height: 0 };
  #layout: Layout | null = null;
  #pressed: { x: number; y: number } | null = null;
  #box: { x0: number; y0: number; x1: number; y1: number } | null = null;

  constructor(host: HTMLElement, events: PlotEvents) {
    this.#host = host;
    this.#events = events;
    this.#theme = readTheme(host);
    host.style.touchAction = "pan-y";
    host.style.userSelect = "none";
    host.style.cursor = "crosshair";
    this.#under = addSurface(host);
    this.#over = addSurface(host);
    const observer = new ResizeObserver(([entry]) => this.#resized(entry!.contentRect));
    observer.observe(host);
    let front = highlighted(useInteraction.getState());
    this.#stops = [
      () => observer.disconnect(),
      onColorScheme(() => {
        this.#theme = readTheme(host);
        this.#redraw();
      }),
      useInteraction.subscribe((interaction) => {
        if (front !== highlighted(interaction)) this.#redraw();
        front = highlighted(interaction);
      }),
      this.#listen(),
    ];
  }

  set(given: CurveOptions): void {
    this.#given = given;
    this.#redraw();
  }

  setThreshold(threshold: number | null): void {
    if (this.#threshold === threshold) return;
    this.#threshold = threshold;
    this.#remark();
  }

  destroy(): void {
    for (const stop of this.#stops) stop();
    frames.cancel(this.#drawKey);
    frames.cancel(this.#markKey);
    removeSurface(this.#under);
    removeSurface(this.#over);
  }

  #model(): Model | null {
    return this.#given && { ...this.#given, theme: this.#theme, highlighted: this.#front() };
  }

  /** A highlighted run that is not on this card dims nothing. */
  #front(): number | null {
    const front = highlighted(useInteraction.getState());
    return this.#given?.runs.some(({ run }) => run === front) ? front : null;
  }

  #resized({ width, height }: Size): void {
    this.#size = { width, height };
    this.#redraw();
  }

  #redraw(): void {
    const model = this.#model();
    if (model === null || this.#size.width === 0) return;
    this.#layout = compose(model, this.#size);
    frames.request(this.#drawKey, "visible", () => {
      const ratio = devicePixels();
      clearSurface(this.#under, this.#size.width, this.#size.height, ratio);
      const before = performance.now();
      drawCurves(this.#under.context, model, this.#layout!, ratio);
      return performance.now() - before;
    });
    this.#remark();
  }

  #remark(): void {
    frames.request(this.#markKey, "pointer", () => {
      const [model, layout] = [this.#model(), this.#layout];
      if (model === null || layout === null) return 0;
      clearSurface(this.#over, this.#size.width, this.#size.height, devicePixels());
      const { context } = this.#over;
      if (this.#threshold !== null)
        drawThreshold(context, model, layout, this.#threshold, curvePointsAt(model, layout, this.#threshold));
      if (this.#box) drawBox(context, model, this.#box);
      return 0;
    });
  }

  #listen(): () => void {
    const stop = new AbortController();
    const { signal } = stop;
    const on = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      act: (event: HTMLElementEventMap[Name]) => void,
    ) => this.#host.addEventListener(name, act, { signal });
    on("pointerdown", (event) => this.#press(event));
    on("pointermove", (event) => this.#move(event));
    on("pointerup", (event) => this.#release(event));
    on("pointercancel", () => this.#letGo());
    on("pointerleave", () => this.#pressed === null && this.#events.onPointed(null));
    on("dblclick", () => this.#events.onZoom(null));
    return () => stop.abort();
  }

  #at(event: MouseEvent): { x: number; y: number } {
    const box = this.#host.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #press(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.#pressed = this.#at(event);
    if (event.pointerType === "mouse") this.#host.setPointerCapture(event.pointerId);
    else this.#point(event);
  }

  #move(event: PointerEvent): void {
    const { x, y } = this.#at(event);
    const from = event.pointerType === "mouse" ? this.#pressed : null;
    if (from && (this.#box || Math.hypot(x - from.x, y - from.y) > DRAG_PX)) {
      this.#box = { x0: from.x, y0: from.y, x1: x, y1: y };
      this.#events.onPointed(null);
      this.#remark();
    } else this.#point(event);
  }

  #point(event: PointerEvent): void {
    const spot = this.#spotUnder(event);
    this.#events.onPointed(spot && { ...spot, clientX: event.clientX, clientY: event.clientY });
  }

  #spotUnder(event: PointerEvent): Pick<PointedThreshold, "run" | "threshold"> | null {
    const [model, layout] = [this.#model(), this.#layout];
    if (model === null || layout === null) return null;
    const { x, y } = this.#at(event);
    const spot = nearest(model, layout, x, y);
    return spot && { run: spot.run, threshold: thresholdOf(model, spot) };
  }

  #release(event: PointerEvent): void {
    const [box, layout] = [this.#box, this.#layout];
    const pressed = this.#pressed !== null;
    this.#letGo();
    if (box && layout) this.#events.onZoom(domainOf(box, layout));
    else if (pressed) {
      const spot = this.#spotUnder(event);
      if (spot) this.#events.onMark(spot.threshold);
    }
  }

  #letGo(): void {
    this.#pressed = null;
    this.#box = null;
    this.#remark();
  }
}

function domainOf(
  { x0, y0, x1, y1 }: { x0: number; y0: number; x1: number; y1: number },
  layout: Layout,
): Domain | null {
  const xs = [layout.x.invert(Math.min(x0, x1)), layout.x.invert(Math.max(x0, x1))] as const;
  const ys = [layout.y.invert(Math.max(y0, y1)), layout.y.invert(Math.min(y0, y1))] as const;
  return xs[1] - xs[0] > 1e-4 && ys[1] - ys[0] > 1e-4 ? { x: xs, y: ys } : null;
}
