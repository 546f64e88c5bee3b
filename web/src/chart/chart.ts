/**
 * One chart in the page: a host element, a canvas for the lines, a second one, only while needed, for what
 * moves over them. Holds no data of its own beyond the model it was last given.
 */

import { drawOverlay, isBlank, type Overlay } from "./cursor";
import { cornerNotes, type Drawn, drawPicture } from "./draw";
import type { GestureEvents, Press } from "./gestures";
import { handleAt } from "./handles";
import { nearestLine, nearestX, pointUnder, rowsAt, type Spot, snap, stepX } from "./hit";
import { LineCache } from "./line";
import {
  type ChartEvents,
  type ChartModel,
  type ChartStats,
  ENGLISH,
  type Handle,
  type Place,
  type Row,
  type Zoom,
} from "./model";
import { fontOf } from "./pen";
import { type Box, composePicture, type Picture, type Size } from "./picture";
import { listen } from "./pointers";
import { frames, type Priority } from "./scheduler";
import { isLarge, owedMs, Slices } from "./slices";
import { addSurface, clearSurface, devicePixels, removeSurface, type Surface } from "./surface";
import { zoomOfBox, zoomOfFactor, zoomOfPan } from "./view";

const OVERLAY_KEPT_MS = 1_000;
const HINT_MS = 1_400;
const MOST_HINTS = 3;
/** When preparing the lines took longer, drawing them waits for the next frame. */
const LONG_TURN_MS = 5;

/** The turns that a picture took so far. */
interface Turns {
  ms: number;
  longest: number;
}

const NO_TURNS: Turns = { ms: 0, longest: 0 };

function withTurn({ ms, longest }: Turns, turnMs: number): Turns {
  return { ms: ms + turnMs, longest: Math.max(longest, turnMs) };
}

const NO_STATS: ChartStats = {
  drawMs: 0,
  turnMs: 0,
  drawn: 0,
  held: 0,
  xmin: Number.NaN,
  xmax: Number.NaN,
  ymin: Number.NaN,
  ymax: Number.NaN,
  above: null,
  below: null,
};

/** The chart that is drawn in slices now: they come up one after the other. */
let slicing: Chart | null = null;

/** The hint about the wheel is for learning: a page shows it a few times and no more. */
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
  #over: Surface | null = null;
  #dropOverlay: ReturnType<typeof setTimeout> | null = null;
  #model: ChartModel | null = null;
  #picture: Picture | null = null;
  #slices: Slices | null = null;
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
    meant: null,
    axis: "step",
  };
  #pointer: Spot | null = null;
  #told = "";
  #grabbed: { picture: Picture; yChosen: boolean } | null = null;
  #zoomed: Zoom | null = null;
  #taken: { handle: Handle; x: number | null } | null = null;
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
    // Text drawn before a web font came was measured in another one.
    host.ownerDocument.fonts?.ready.then(() => this.#invalidate());
  }

  /** "visible", or "near" for a chart outside the window: drawn last, and without a cursor. */
  get priority(): Priority {
    return this.#priority;
  }

  set priority(priority: Priority) {
    if (priority === this.#priority) return;
    this.#priority = priority;
    this.#requestOverlay();
  }

  /** The last picture's figures; `Chart` tells of new ones through `onDrawn`. */
  get stats(): ChartStats {
    return this.#stats;
  }

  /** Show a model. What is drawn until the next frame is the one before; before the first series that is nothing. */
  set(model: ChartModel): void {
    if (this.#model === null && model.series.length === 0) return;
    this.#model = model;
    this.#overlay.axis = model.axis;
    this.#overlay.highlighted = model.highlighted;
    this.#invalidate();
  }

  /** Shared cursor, pinned step and chosen range, in the units of x; drawn on the overlay alone. */
  setCursor(x: number | null, pinned: number | null, range: readonly [number, number] | null = null): void {
    const overlay = this.#overlay;
    const same = overlay.range?.[0] === range?.[0] && overlay.range?.[1] === range?.[1];
    if (overlay.cursor === x && overlay.pinned === pinned && same) return;
    overlay.cursor = x;
    overlay.pinned = pinned;
    overlay.range = range;
    this.#requestOverlay();
  }

  /** Puts one run in front; null puts all back. */
  setHighlight(run: number | null): void {
    if (this.#model === null || this.#overlay.highlighted === run) return;
    this.#overlay.highlighted = run;
    this.#model = { ...this.#model, highlighted: run };
    frames.request(this.#drawKey, this.#rank(), () => this.#draw());
  }

  /** The host has another size, or the screen another sharpness. Until told, the chart asks the host itself. */
  resize(size: Size): void {
    this.#size = size;
    this.#invalidate();
  }

  /** Rows of a tip, in the order of the series: of each run, or of one alone, the real point nearest to `x`. */
  valuesAt(x: number, run: number | null = null): Row[] {
    const picture = this.#compose();
    return picture === null ? [] : rowsAt(picture, x, this.#pointer, this.#overlay.meant, run);
  }

  /** x of the next real point to the right (1) or left (−1), for arrow keys; from `null`, the first or last. */
  nextX(x: number | null, direction: 1 | -1): number | null {
    const picture = this.#compose();
    if (picture === null) return null;
    return stepX(picture, x ?? -direction * Number.POSITIVE_INFINITY, direction);
  }

  destroy(): void {
    this.#destroyed = true;
    this.#dropSlices();
    this.#stopListening();
    frames.cancel(this.#drawKey);
    frames.cancel(this.#overlayKey);
    if (this.#dropOverlay !== null) clearTimeout(this.#dropOverlay);
    removeSurface(this.#surface);
    if (this.#over !== null) removeSurface(this.#over);
  }

  /** Asking a host lays the whole page out: once at most. */
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

  /** In one turn, or in two or more where many points have to be made ready or drawn: none holds the page up. */
  #draw(before: Turns = NO_TURNS): number {
    const start = performance.now();
    const fresh = this.#picture === null;
    const picture = this.#compose();
    const model = this.#model;
    if (picture === null || model === null) {
      this.#dropSlices();
      return 0;
    }
    const composeMs = performance.now() - start;
    if (fresh && composeMs > LONG_TURN_MS) return this.#drawOn(withTurn(before, composeMs));
    const pixelRatio = devicePixels();
    const drawn = isLarge(picture)
      ? this.#drawSlice(picture, model.highlighted, pixelRatio)
      : this.#drawWhole(picture, model.highlighted, pixelRatio);
    const turns = withTurn(before, performance.now() - start);
    if (drawn === null) return this.#drawOn(turns);
    this.#dropSlices();
    this.#tellDrawn(picture, model, drawn, turns);
    return owedMs(drawn.corners, pixelRatio);
  }

  /** Goes on in the next frame, and leaves this one to others. */
  #drawOn(turns: Turns): number {
    frames.request(this.#drawKey, this.#rank(), () => this.#draw(turns));
    return Number.POSITIVE_INFINITY;
  }

  #drawWhole(picture: Picture, highlighted: number | null, pixelRatio: number): Drawn {
    clearSurface(this.#surface, picture.size.width, picture.size.height, pixelRatio);
    return drawPicture(this.#surface.context, picture, { pixelRatio, highlighted });
  }

  /**
   * Null while there is more to draw, or another chart has its turn. A picture once begun is drawn to its end, even if
   * there is a newer one by then: under a dragged slider there is one each frame, and none would ever be seen.
   */
  #drawSlice(picture: Picture, highlighted: number | null, pixelRatio: number): Drawn | null {
    if (slicing !== null && slicing !== this) return null;
    slicing = this;
    if (this.#slices?.picture.size !== picture.size) this.#slices = null;
    this.#slices ??= new Slices(picture, highlighted, pixelRatio);
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

  #tellDrawn(picture: Picture, model: ChartModel, drawn: Drawn, turns: Turns): void {
    const [xmin, xmax] = picture.x.domain;
    const [ymin, ymax] = picture.y.domain;
    const held = model.series.reduce((sum, series) => sum + series.inRange, 0);
    const { ms: drawMs, longest: turnMs } = turns;
    const ranges = { xmin, xmax, ymin, ymax };
    this.#stats = { drawMs, turnMs, drawn: drawn.points, held, ...ranges, ...cornerNotes(picture) };
    this.#events.onDrawn?.(this.#stats);
    if (this.#pointer !== null) this.#tell(this.#pointer);
  }

  #requestOverlay(): void {
    if (this.#destroyed) return;
    const priority = this.#pointer === null ? "visible" : "pointer";
    frames.request(this.#overlayKey, priority, () => this.#drawOver());
  }

  #drawOver(): number {
    const picture = this.#compose();
    if (picture === null || isBlank(this.#overlay) || this.#priority === "near") {
      this.#clearOver();
      return 0;
    }
    if (this.#dropOverlay !== null) clearTimeout(this.#dropOverlay);
    this.#dropOverlay = null;
    this.#over ??= addSurface(this.#host);
    const pixelRatio = devicePixels();
    clearSurface(this.#over, picture.size.width, picture.size.height, pixelRatio);
    drawOverlay(this.#over.context, picture, this.#overlay, pixelRatio);
    return 0;
  }

  /** An empty overlay is kept for a moment, as the pointer often comes back, and then given up. */
  #clearOver(): void {
    if (this.#over === null || this.#dropOverlay !== null) return;
    const { canvas, context } = this.#over;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    this.#dropOverlay = setTimeout(() => {
      this.#dropOverlay = null;
      if (this.#over !== null) removeSurface(this.#over);
      this.#over = null;
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
      take: (at) => this.#take(at),
      drag: (at, done) => this.#drag(at, done),
      back: () => this.#events.onZoom(null, true),
      hint: () => this.#hint(),
    };
  }

  #hover(at: Spot | null): void {
    const inside = at !== null && this.#inPlot(at);
    this.#host.style.cursor = at !== null && this.#handleAt(at) !== null ? "ew-resize" : "crosshair";
    this.#pointer = inside ? { x: at.x, y: at.y } : null;
    if (this.#overlay.own !== inside) {
      this.#overlay.own = inside;
      this.#requestOverlay();
    }
    if (this.#pointer !== null) this.#tell(this.#pointer);
    else if (this.#told !== "") {
      this.#told = "";
      this.#events.onCursor(null, null, null);
    }
  }

  #inPlot({ x, y }: Spot): boolean {
    const plot = this.#compose()?.plot;
    if (plot === undefined) return false;
    return x >= plot.left - 4 && x <= plot.right + 4 && y >= 0 && y <= plot.bottom + 4;
  }

  /** Tells of the point under the pointer; again only if something about it is new. */
  #tell(pointer: Spot): void {
    const picture = this.#compose();
    if (picture === null) return;
    const line = nearestLine(picture, pointer);
    const x = snap(picture, pointer, line);
    const run = line?.series.run ?? null;
    const where = this.#placeOf(pointer);
    this.#overlay.meant = line && pointUnder(picture, pointer, line);
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

  /** A pinch is measured from the picture it began on; each turn of a wheel from the one before. */
  #zoom(factor: number, at: Spot, done: boolean, sincePress: boolean): void {
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

  /** Single points have no range of x to choose from. */
  #zoomable(): Picture | null {
    const picture = this.#compose();
    return picture?.strip ? null : picture;
  }

  #here(): { picture: Picture; yChosen: boolean } | null {
    const picture = this.#zoomable();
    return picture === null ? null : { picture, yChosen: this.#model?.yRange != null };
  }

  #pin(at: Spot, extend: boolean): void {
    const picture = this.#compose();
    if (picture === null || picture.strip !== null || !this.#inPlot(at)) return;
    const x = snap(picture, at, nearestLine(picture, at));
    if (x !== null) this.#events.onPin(x, extend, this.#placeOf(at));
  }

  /** A spot of the chart as a place in the window. */
  #placeOf({ x, y }: Spot): Place {
    const { left, top } = this.#host.getBoundingClientRect();
    return { clientX: left + x, clientY: top + y };
  }

  #handleAt(at: Spot, finger = false): Handle | null {
    const picture = this.#overlay.draggable ? this.#compose() : null;
    return picture && handleAt(picture, this.#overlay, at, finger);
  }

  #take(at: Press): boolean {
    const handle = this.#handleAt(at, at.kind === "touch");
    this.#taken = handle && { handle, x: null };
    return handle !== null;
  }

  /** A handle moves from point to point; it is told of only where it comes to another. */
  #drag(at: Spot, done: boolean): void {
    const picture = this.#compose();
    const taken = this.#taken;
    if (picture === null || taken === null) return;
    const x = nearestX(picture, picture.x.invert(at.x));
    if (x !== null && (done || x !== taken.x)) this.#events.onHandle?.(taken.handle, x, done);
    taken.x = x;
    if (done) this.#taken = null;
  }

  #hint(): void {
    if (hintsShown >= MOST_HINTS || this.#overlay.hint !== null || this.#model === null) return;
    hintsShown += 1;
    this.#overlay.hint = (this.#model.words ?? ENGLISH).wheelHint;
    this.#requestOverlay();
    setTimeout(() => {
      this.#overlay.hint = null;
      this.#requestOverlay();
    }, HINT_MS);
  }
}
