/**
 * One chart: a host element, a canvas for the lines, and an overlay canvas that exists only while needed. Holds no
 * data beyond the last model.
 */

import { composePicture } from "./compose";
import { drawOverlay, isBlank, type Overlay } from "./cursor";
import { cornerNotes, type DrawStats, drawPicture } from "./draw";
import type { GestureEvents, PointerPress } from "./gestures";
import { handleAt } from "./handles";
import { nearestLine, nearestX, type PixelPosition, pointUnder, rowsAt, snap, stepX } from "./hit-test";
import { LineCache } from "./line";
import {
  type ChartEvents,
  type ChartModel,
  type ChartStats,
  type ClientPosition,
  ENGLISH,
  type Handle,
  type Row,
  type Zoom,
} from "./model";
import { fontOf } from "./pen";
import type { Box, Picture, Size } from "./picture";
import { listen } from "./pointers";
import { frames, type Priority } from "./scheduler";
import { isLarge, rasterMs, SlicedDrawing } from "./slices";
import { addSurface, clearSurface, devicePixels, removeSurface, type Surface } from "./surface";
import { zoomOfBox, zoomOfFactor, zoomOfPan } from "./zoom";

const OVERLAY_KEPT_MS = 1_000;
const HINT_MS = 1_400;
const MAX_HINTS = 3;
/** If preparing the lines took longer, drawing waits for the next frame. */
const LONG_FRAME_MS = 5;

/** How long the frames of a picture took so far. */
interface FrameTimes {
  ms: number;
  longest: number;
}

const NO_FRAMES: FrameTimes = { ms: 0, longest: 0 };

function withFrame({ ms, longest }: FrameTimes, turnMs: number): FrameTimes {
  return { ms: ms + turnMs, longest: Math.max(longest, turnMs) };
}

const NO_STATS: ChartStats = {
  drawMs: 0,
  turnMs: 0,
  drawn: 0,
  total: 0,
  xmin: Number.NaN,
  xmax: Number.NaN,
  ymin: Number.NaN,
  ymax: Number.NaN,
  above: null,
  below: null,
};

/** The chart that is being drawn in slices; charts take turns. */
let slicing: Chart | null = null;

/** How often the wheel hint was shown: it is for learning, so a page shows it only a few times. */
let hintsShown = 0;

export class Chart {
  #priority: Priority = "visible";
  readonly #host: HTMLElement;
  readonly #events: ChartEvents;
  readonly #surface: Surface;
  readonly #lines = new LineCache();
  readonly #stopListening: () => void;
  readonly #drawKey = {};
  readonly #overlayKey = {};
  readonly #onFonts = () => this.#invalidate();
  #overlaySurface: Surface | null = null;
  #dropOverlay: ReturnType<typeof setTimeout> | null = null;
  #model: ChartModel | null = null;
  #picture: Picture | null = null;
  #slices: SlicedDrawing | null = null;
  #size: Size | null = null;
  #stats: ChartStats = NO_STATS;
  #overlay: Overlay = {
    cursor: null,
    own: false,
    pinned: null,
    range: null,
    draggable: false,
    box: null,
    hint: null,
    highlighted: null,
    target: null,
    axis: "step",
  };
  #pointer: PixelPosition | null = null;
  #told = "";
  #grabbed: { picture: Picture; yChosen: boolean } | null = null;
  #zoomed: Zoom | null = null;
  #dragged: { handle: Handle; x: number | null } | null = null;
  #destroyed = false;

  constructor(host: HTMLElement, events: ChartEvents) {
    this.#host = host;
    this.#events = events;
    this.#overlay.draggable = events.onHandle !== undefined;
    host.style.touchAction = "pan-y";
    host.style.userSelect = "none";
    host.style.cursor = "crosshair";
    this.#surface = addSurface(host);
    this.#stopListening = listen(host, this.#gestures());
    // Text drawn before a web font loaded was measured in another font. Asking for `ready` would force a layout.
    host.ownerDocument.fonts?.addEventListener("loadingdone", this.#onFonts);
  }

  /** "visible", or "near" for a chart outside the window, which is drawn last and without a cursor. */
  get priority(): Priority {
    return this.#priority;
  }

  set priority(priority: Priority) {
    if (priority === this.#priority) return;
    this.#priority = priority;
    this.#requestOverlay();
  }

  /** Statistics of the last picture; `onDrawn` reports new ones. */
  get stats(): ChartStats {
    return this.#stats;
  }

  /** Shows a model. Until the next frame the previous picture stays; before the first series it is blank. */
  set(model: ChartModel): void {
    if (this.#model === null && model.series.length === 0) return;
    this.#model = model;
    this.#overlay.axis = model.axis;
    this.#overlay.highlighted = model.highlighted;
    this.#invalidate();
  }

  /** Sets the shared cursor, the pinned step and the selected range, in units of x; only the overlay is redrawn. */
  setCursor(x: number | null, pinned: number | null, range: readonly [number, number] | null = null): void {
    const overlay = this.#overlay;
    const same = overlay.range?.[0] === range?.[0] && overlay.range?.[1] === range?.[1];
    if (overlay.cursor === x && overlay.pinned === pinned && same) return;
    overlay.cursor = x;
    overlay.pinned = pinned;
    overlay.range = range;
    this.#requestOverlay();
  }

  /** Highlights one run; null highlights none. */
  setHighlight(run: number | null): void {
    if (this.#model === null || this.#overlay.highlighted === run) return;
    this.#overlay.highlighted = run;
    this.#model = { ...this.#model, highlighted: run };
    frames.request(this.#drawKey, this.#rank(), () => this.#draw());
  }

  /**
   * Sets the size after the host or the screen resolution changed. Before the first call, the chart measures the host
   * itself.
   */
  resize(size: Size): void {
    this.#size = size;
    this.#invalidate();
  }

  /** Rows of a tooltip, in the order of the series: the real point nearest to `x` of each run, or of one. */
  valuesAt(x: number, run: number | null = null): Row[] {
    const picture = this.#compose();
    return picture === null ? [] : rowsAt(picture, x, this.#pointer, this.#overlay.target, run);
  }

  /** x of the next real point to the right (1) or left (−1), for arrow keys; with `null`, the first or last. */
  nextX(x: number | null, direction: 1 | -1): number | null {
    const picture = this.#compose();
    if (picture === null) return null;
    return stepX(picture, x ?? -direction * Number.POSITIVE_INFINITY, direction);
  }

  destroy(): void {
    this.#destroyed = true;
    this.#dropSlices();
    this.#stopListening();
    this.#host.ownerDocument.fonts?.removeEventListener("loadingdone", this.#onFonts);
    frames.cancel(this.#drawKey);
    frames.cancel(this.#overlayKey);
    if (this.#dropOverlay !== null) clearTimeout(this.#dropOverlay);
    removeSurface(this.#surface);
    if (this.#overlaySurface !== null) removeSurface(this.#overlaySurface);
  }

  /** Measuring a host forces a layout of the whole page: do it at most once. */
  #measured(): Size {
    this.#size ??= { width: this.#host.clientWidth, height: this.#host.clientHeight };
    return this.#size;
  }

  #rank(): Priority {
    return this.#pointer === null ? this.#priority : "pointer";
  }

  #invalidate(): void {
    this.#picture = null;
    if (this.#destroyed) return;
    frames.request(this.#drawKey, this.#rank(), () => this.#draw());
    this.#requestOverlay();
  }

  #compose(): Picture | null {
    const model = this.#model;
    const size = this.#measured();
    if (this.#picture !== null || model === null || size.width === 0 || size.height === 0)
      return this.#picture;
    const { context } = this.#surface;
    context.font = fontOf(model.theme);
    this.#picture = composePicture(model, size, this.#lines, (text) => context.measureText(text).width);
    return this.#picture;
  }

  /** Draws in one frame, or in several if there are so many points that one frame would be long. */
  #draw(before: FrameTimes = NO_FRAMES): number {
    const start = performance.now();
    const fresh = this.#picture === null;
    const picture = this.#compose();
    const model = this.#model;
    if (picture === null || model === null) {
      this.#dropSlices();
      return 0;
    }
    const composeMs = performance.now() - start;
    if (fresh && composeMs > LONG_FRAME_MS) return this.#continueDrawing(withFrame(before, composeMs));
    const pixelRatio = devicePixels();
    const drawn = isLarge(picture)
      ? this.#drawSlice(picture, model.highlighted, pixelRatio)
      : this.#drawWhole(picture, model.highlighted, pixelRatio);
    const times = withFrame(before, performance.now() - start);
    if (drawn === null) return this.#continueDrawing(times);
    this.#dropSlices();
    this.#tellDrawn(picture, model, drawn, times);
    return rasterMs(drawn.corners, pixelRatio);
  }

  /** Continues in the next frame, so that other charts can use this one. */
  #continueDrawing(times: FrameTimes): number {
    frames.request(this.#drawKey, this.#rank(), () => this.#draw(times));
    return Number.POSITIVE_INFINITY;
  }

  #drawWhole(picture: Picture, highlighted: number | null, pixelRatio: number): DrawStats {
    clearSurface(this.#surface, picture.size.width, picture.size.height, pixelRatio);
    return drawPicture(this.#surface.context, picture, { pixelRatio, highlighted });
  }

  /**
   * Returns null while there is more to draw, or while it is another chart's turn. A picture is always finished, even
   * if a newer model arrived: while a slider moves there is a new one each frame, and otherwise none would be seen.
   */
  #drawSlice(picture: Picture, highlighted: number | null, pixelRatio: number): DrawStats | null {
    if (slicing !== null && slicing !== this) return null;
    slicing = this;
    if (this.#slices?.picture.size !== picture.size) this.#slices = null;
    this.#slices ??= new SlicedDrawing(picture, highlighted, pixelRatio);
    const slices = this.#slices;
    try {
      const drawn = slices.draw();
      if (drawn === null) return null;
      slices.show(this.#surface);
      this.#dropSlices();
      return slices.picture === picture && slices.highlighted === highlighted ? drawn : null;
    } catch (error) {
      this.#dropSlices();
      throw error;
    }
  }

  #dropSlices(): void {
    this.#slices = null;
    if (slicing === this) slicing = null;
  }

  #tellDrawn(picture: Picture, model: ChartModel, drawn: DrawStats, times: FrameTimes): void {
    const [xmin, xmax] = picture.x.domain;
    const [ymin, ymax] = picture.y.domain;
    const held = model.series.reduce((sum, series) => sum + series.inRange, 0);
    const { ms: drawMs, longest: turnMs } = times;
    const ranges = { xmin, xmax, ymin, ymax };
    this.#stats = { drawMs, turnMs, drawn: drawn.points, total: held, ...ranges, ...cornerNotes(picture) };
    this.#events.onDrawn?.(this.#stats);
    if (this.#pointer !== null) this.#notifyPointer(this.#pointer);
  }

  #requestOverlay(): void {
    if (this.#destroyed) return;
    const priority = this.#pointer === null ? "visible" : "pointer";
    frames.request(this.#overlayKey, priority, () => this.#drawOverlay());
  }

  #drawOverlay(): number {
    const picture = this.#compose();
    if (picture === null || isBlank(this.#overlay) || this.#priority === "near") {
      this.#clearOverlay();
      return 0;
    }
    if (this.#dropOverlay !== null) clearTimeout(this.#dropOverlay);
    this.#dropOverlay = null;
    this.#overlaySurface ??= addSurface(this.#host);
    const pixelRatio = devicePixels();
    clearSurface(this.#overlaySurface, picture.size.width, picture.size.height, pixelRatio);
    drawOverlay(this.#overlaySurface.context, picture, this.#overlay, pixelRatio);
    return 0;
  }

  /** Keeps an empty overlay for a moment, as the pointer often returns, then removes it. */
  #clearOverlay(): void {
    if (this.#overlaySurface === null || this.#dropOverlay !== null) return;
    const { canvas, context } = this.#overlaySurface;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    this.#dropOverlay = setTimeout(() => {
      this.#dropOverlay = null;
      if (this.#overlaySurface !== null) removeSurface(this.#overlaySurface);
      this.#overlaySurface = null;
    }, OVERLAY_KEPT_MS);
  }

  #gestures(): GestureEvents {
    return {
      hover: (at) => this.#hover(at),
      box: (box) => this.#showBox(box),
      select: (box, band) => this.#select(box, band),
      pan: (dx, dy, done) => this.#pan(dx, dy, done),
      zoom: (factor, at, done, sincePress) => this.#zoom(factor, at, done, sincePress),
      click: (at, extend) => this.#pin(at, extend),
      grabHandle: (at) => this.#take(at),
      drag: (at, done) => this.#drag(at, done),
      back: () => this.#events.onZoom(null, true),
      hint: () => this.#hint(),
    };
  }

  #hover(at: PixelPosition | null): void {
    const inside = at !== null && this.#inPlot(at);
    this.#host.style.cursor = at !== null && this.#handleAt(at) !== null ? "ew-resize" : "crosshair";
    this.#pointer = inside ? { x: at.x, y: at.y } : null;
    if (this.#overlay.own !== inside) {
      this.#overlay.own = inside;
      this.#requestOverlay();
    }
    if (this.#pointer !== null) this.#notifyPointer(this.#pointer);
    else if (this.#told !== "") {
      this.#told = "";
      this.#events.onCursor(null, null, null);
    }
  }

  #inPlot({ x, y }: PixelPosition): boolean {
    const plot = this.#compose()?.plot;
    if (plot === undefined) return false;
    return x >= plot.left - 4 && x <= plot.right + 4 && y >= 0 && y <= plot.bottom + 4;
  }

  /** Reports the point under the pointer if anything about it changed. */
  #notifyPointer(pointer: PixelPosition): void {
    const picture = this.#compose();
    if (picture === null) return;
    const line = nearestLine(picture, pointer);
    const x = snap(picture, pointer, line);
    const run = line?.series.run ?? null;
    const where = this.#clientPositionOf(pointer);
    this.#overlay.target = line && pointUnder(picture, pointer, line);
    const news = `${x} ${run} ${where.clientX} ${where.clientY}`;
    if (x === null || news === this.#told) return;
    this.#told = news;
    this.#events.onCursor(x, where, run, line?.series.tag ?? null);
  }

  #showBox(box: Box | null): void {
    const plot = this.#zoomable()?.plot;
    if (plot === undefined && box !== null) return;
    const band = box !== null && Math.abs(box.bottom - box.top) <= 12;
    this.#overlay.box = band && plot !== undefined ? { ...box, top: plot.top, bottom: plot.bottom } : box;
    this.#requestOverlay();
  }

  #select(box: Box, band: boolean): void {
    this.#showBox(null);
    const picture = this.#zoomable();
    if (picture === null) return;
    const zoom = zoomOfBox(picture, box, band);
    if (zoom.x[1] > zoom.x[0]) this.#events.onZoom(zoom, true);
  }

  #pan(dx: number, dy: number, done: boolean): void {
    const grabbed = this.#grab();
    if (grabbed === null) return;
    this.#events.onZoom(zoomOfPan(grabbed.picture, dx, dy, grabbed.yChosen), done);
    if (done) this.#grabbed = null;
  }

  /** A pinch is relative to the picture where it started, each turn of a wheel to the previous one. */
  #zoom(factor: number, at: PixelPosition, done: boolean, sincePress: boolean): void {
    const base = sincePress ? this.#grab() : this.#here();
    if (base === null || this.#model === null) return;
    const zoom =
      done && !sincePress
        ? this.#zoomed
        : zoomOfFactor(base.picture, factor, at, base.yChosen, this.#model.axis);
    if (zoom !== null) this.#events.onZoom(zoom, done);
    this.#zoomed = done ? null : (zoom ?? this.#zoomed);
    if (done) this.#grabbed = null;
  }

  #grab(): { picture: Picture; yChosen: boolean } | null {
    this.#grabbed ??= this.#here();
    return this.#grabbed;
  }

  /** A strip of single points has no range of x. */
  #zoomable(): Picture | null {
    const picture = this.#compose();
    return picture?.strip ? null : picture;
  }

  #here(): { picture: Picture; yChosen: boolean } | null {
    const picture = this.#zoomable();
    return picture === null ? null : { picture, yChosen: this.#model?.yRange != null };
  }

  #pin(at: PixelPosition, extend: boolean): void {
    const picture = this.#compose();
    if (picture === null || picture.strip !== null || !this.#inPlot(at)) return;
    const x = snap(picture, at, nearestLine(picture, at));
    if (x !== null) this.#events.onPin(x, extend, this.#clientPositionOf(at));
  }

  /** The position in the window of a position in the chart. */
  #clientPositionOf({ x, y }: PixelPosition): ClientPosition {
    const { left, top } = this.#host.getBoundingClientRect();
    return { clientX: left + x, clientY: top + y };
  }

  #handleAt(at: PixelPosition, finger = false): Handle | null {
    const picture = this.#overlay.draggable ? this.#compose() : null;
    return picture && handleAt(picture, this.#overlay, at, finger);
  }

  #take(at: PointerPress): boolean {
    const handle = this.#handleAt(at, at.kind === "touch");
    this.#dragged = handle && { handle, x: null };
    return handle !== null;
  }

  /** A handle snaps to points; it is reported only when it reaches another one. */
  #drag(at: PixelPosition, done: boolean): void {
    const picture = this.#compose();
    const grabbed = this.#dragged;
    if (picture === null || grabbed === null) return;
    const x = nearestX(picture, picture.x.invert(at.x));
    if (x !== null && (done || x !== grabbed.x)) this.#events.onHandle?.(grabbed.handle, x, done);
    grabbed.x = x;
    if (done) this.#dragged = null;
  }

  #hint(): void {
    if (hintsShown >= MAX_HINTS || this.#overlay.hint !== null || this.#model === null) return;
    hintsShown += 1;
    this.#overlay.hint = (this.#model.words ?? ENGLISH).wheelHint;
    this.#requestOverlay();
    setTimeout(() => {
      this.#overlay.hint = null;
      this.#requestOverlay();
    }, HINT_MS);
  }
}
