/**
 * The picture on the page: a canvas, its camera, what follows the pointer, and the small map. The boxes move from one
 * picture to the next. No React.
 */

import type { ChartTheme } from "../../chart/model";
import { frames } from "../../chart/scheduler";
import { addSurface, clearSurface, devicePixels, removeSurface, type Surface } from "../../chart/surface";
import { Gestures } from "../../lib/gestures";
import { listen } from "../../lib/pointers";
import type { TextWidths } from "./box-size";
import { type DrawOptions, drawGraph, NO_FOCUS } from "./draw";
import {
  type Camera,
  cameraBetween,
  fitCamera,
  lookAt,
  moveCamera,
  revealCamera,
  toPicture,
  viewOf,
  zoomCamera,
} from "./geometry/camera";
import { boxAt, signAt, wireAt } from "./geometry/hit-test";
import { frameOf, isMapUseful, type Minimap, mapSize, minimapOf, pointOnMap } from "./geometry/minimap";
import { NO_NEIGHBORS, neighborsOf } from "./geometry/neighbors";
import { type Picture, type PlacedBox, placeOf } from "./geometry/picture";
import type { Point, Rect, Size } from "./geometry/shapes";
import { startOf } from "./geometry/start";
import { eased, pictureBetween, startsOf } from "./geometry/transition";
import type { BoxMark } from "./marks";

/** What is under the pointer: a box, or a line. */
export type Hovered = { box: PlacedBox; wire: null } | { box: null; wire: number };

export interface StageEvents {
  /** The user has moved or zoomed the picture. */
  look(camera: Camera): void;
  hover(hovered: Hovered | null, at: Point): void;
  /** Null beside all boxes. */
  select(box: PlacedBox | null): void;
  toggle(box: PlacedBox): void;
  /** To the next member of a stack, or the previous one. */
  step(box: PlacedBox, by: 1 | -1): void;
}

export interface StageStyle {
  theme: ChartTheme;
  widths: TextWidths;
  colorOf(placed: PlacedBox): string | null;
  markOf(placed: PlacedBox): BoxMark | null;
}

const MOVE_MS = 200;
const MARGINS = { top: 52, side: 28, bottom: 36 };
const REVEAL_PX = 80;
const READABLE = 0.8;
const HIT_PX = 6;
const EMPTY: Picture = {
  size: { width: 0, height: 0 },
  boxes: [],
  wires: [],
  strips: [],
  places: new Map(),
};

/** An open box, or "" for everything; `whole` shows all of it even if it cannot be read then. */
interface Fitted {
  path: string;
  whole: boolean;
}

interface Move {
  begin: number;
  starts: readonly Rect[];
  from: Camera;
  to: Camera;
  /** The boxes move, not only the camera. */
  boxes: boolean;
}

export class GraphStage {
  readonly #host: HTMLElement;
  readonly #mapHost: HTMLElement;
  readonly #events: StageEvents;
  readonly #surface: Surface;
  readonly #map: Surface;
  readonly #stop = new AbortController();
  readonly #calm: boolean;
  #style: StageStyle;
  #picture = EMPTY;
  #size: Size = { width: 0, height: 0 };
  #camera: Camera = { x: 0, y: 0, scale: 1 };
  #move: Move | null = null;
  #selected = "";
  #active = "";
  #hovered = -1;
  #wire = -1;
  #onSign = false;
  /** What is fitted into the view, also when its size changes; null if the user looks elsewhere. */
  #fitted: Fitted | null = { path: "", whole: false };

  constructor(host: HTMLElement, mapHost: HTMLElement, style: StageStyle, events: StageEvents) {
    this.#host = host;
    this.#mapHost = mapHost;
    this.#style = style;
    this.#events = events;
    this.#surface = addSurface(host);
    this.#map = addSurface(mapHost);
    this.#calm =
      "still" in document.documentElement.dataset || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const gestures = new Gestures({
      hover: (at) => this.#point(at),
      drag: (dx, dy) => this.#look(moveCamera(this.#camera, dx, dy, this.#picture.size)),
      zoom: (factor, x, y) => this.#look(zoomCamera(this.#camera, 1 / factor, { x, y }, this.#size)),
      line: () => {},
      enclose: () => {},
      click: (at) => this.#click(at),
    });
    listen(host, gestures, () => this.#doubleClick(), this.#stop.signal);
    this.#listenToMap();
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      this.#size = { width, height };
      if (this.#move) this.#move.to = this.#cameraNow(this.#move.to);
      else this.#camera = this.#cameraNow(this.#camera);
      this.#request();
    });
    observer.observe(host);
    this.#stop.signal.addEventListener("abort", () => observer.disconnect());
  }

  destroy(): void {
    this.#stop.abort();
    frames.cancel(this);
    removeSurface(this.#surface);
    removeSurface(this.#map);
  }

  get size(): Size {
    return this.#size;
  }

  get picture(): Picture {
    return this.#picture;
  }

  restyle(style: StageStyle): void {
    this.#style = style;
    this.#request();
  }

  /** Shows a picture, and of it what was opened or closed, or the box to be revealed. */
  show(picture: Picture, reveal: string): void {
    const before = this.#picture;
    this.#picture = picture;
    this.#hovered = -1;
    this.#wire = -1;
    const first = before.boxes.length === 0;
    const place = reveal === "" ? -1 : placeOf(picture, reveal);
    const camera = place >= 0 ? this.#revealed(place, first) : this.#following(before, picture);
    if (first || this.#calm) {
      this.#camera = camera;
      this.#move = null;
    } else {
      this.#move = {
        begin: 0,
        starts: startsOf(before, picture),
        from: this.#camera,
        to: camera,
        boxes: true,
      };
    }
    this.#events.hover(null, { x: 0, y: 0 });
    this.#request();
  }

  /** Marks the selected box. */
  select(path: string): void {
    this.#selected = path;
    this.#request();
  }

  /** Marks the box with the keyboard focus, and brings it into view; "" for none. */
  activate(path: string): void {
    this.#active = path;
    const placed = this.#picture.boxes[this.#picture.places.get(path) ?? -1];
    if (placed && !this.#move) {
      const head = placed.open ? { ...placed.rect, height: 30 } : placed.rect;
      this.#glide(revealCamera(this.#camera, head, this.#size, REVEAL_PX / 2));
    }
    this.#request();
  }

  /** Shows an open box, or "" everything. */
  fit(path: string): void {
    this.#glide(this.#fit({ path, whole: true }));
  }

  reveal(path: string): void {
    const place = placeOf(this.#picture, path);
    if (place >= 0) this.#glide(this.#revealed(place, false));
  }

  zoom(factor: number): void {
    const middle = { x: this.#size.width / 2, y: this.#size.height / 2 };
    this.#fitted = null;
    const camera = zoomCamera(this.#move?.to ?? this.#camera, factor, middle, this.#size);
    this.#glide(camera);
    this.#events.look(camera);
  }

  /** Looks where another picture does. */
  follow(camera: Camera): void {
    this.#fitted = null;
    this.#move = null;
    this.#camera = camera;
    this.#request();
  }

  /** What has to be drawn to show the current picture with all of it in view, for files. */
  get drawing(): Omit<DrawOptions, "camera" | "view" | "theme"> {
    const { widths, colorOf, markOf } = this.#style;
    return { ...NO_FOCUS, widths, colorOf, markOf };
  }

  /** The outermost of what was opened, otherwise what is around that which was closed, otherwise as it is. */
  #following(before: Picture, after: Picture): Camera {
    const wasOpen = openPaths(before);
    const isOpen = openPaths(after);
    const opened = [...isOpen].filter((path) => !wasOpen.has(path)).map((path) => after.places.get(path)!);
    const closed = [...wasOpen].filter((path) => !isOpen.has(path));
    if (before.boxes.length === 0) return this.#fit({ path: "", whole: false });
    if (opened.length === 0 && closed.length === 0) return this.#cameraNow(this.#camera);
    const around = new Set(
      opened.length > 0
        ? opened.filter((at) => !opened.includes(after.boxes[at]!.parent))
        : closed.map((path) => after.boxes[after.places.get(path) ?? -1]?.parent ?? -1),
    );
    const only = around.size === 1 ? [...around][0]! : -1;
    return this.#fit({ path: after.boxes[only]?.box.path ?? "", whole: false });
  }

  #fit(what: Fitted): Camera {
    this.#fitted = what;
    return this.#cameraNow(this.#camera);
  }

  /** The camera for what is fitted, as large as picture and view are now. */
  #cameraNow(camera: Camera): Camera {
    if (!this.#fitted) return camera;
    const { path, whole } = this.#fitted;
    const place = this.#picture.places.get(path) ?? -1;
    const part = this.#picture.boxes[place]?.rect ?? { x: 0, y: 0, ...this.#picture.size };
    const start = startOf(this.#picture, place);
    return fitCamera(part, this.#size, MARGINS, { whole, ...(start && { start: start.x }) });
  }

  /** An open box as it is fitted. Any other box in the first view if it is there, otherwise as large as one can read. */
  #revealed(place: number, isFirst: boolean): Camera {
    const { rect, open, box } = this.#picture.boxes[place]!;
    if (open) return this.#fit({ path: box.path, whole: false });
    if (isFirst) {
      const whole = this.#fit({ path: "", whole: false });
      if (lookAt(whole, rect, this.#size, REVEAL_PX) === whole) return whole;
    }
    this.#fitted = null;
    const camera = { ...this.#camera, scale: Math.max(this.#camera.scale, READABLE) };
    return lookAt(camera, rect, this.#size, REVEAL_PX);
  }

  /** The camera as a gesture wants it, without a transition. */
  #look(camera: Camera): void {
    this.#fitted = null;
    if (this.#move) this.#move = null;
    this.#camera = camera;
    this.#events.look(camera);
    this.#request();
  }

  #glide(camera: Camera): void {
    if (this.#calm) this.#camera = camera;
    else {
      const boxes = this.#move?.boxes ?? false;
      const starts = this.#move?.starts ?? [];
      this.#move = { begin: 0, starts, from: this.#camera, to: camera, boxes };
    }
    this.#request();
  }

  // The pointer.

  #point(at: Point | null): void {
    const where = at && toPicture(this.#camera, this.#size, at);
    const box = where ? boxAt(this.#picture, where) : -1;
    const placed = this.#picture.boxes[box];
    const onWire =
      !where || (placed && !placed.open) ? -1 : wireAt(this.#picture, where, HIT_PX / this.#camera.scale);
    this.#wire = onWire;
    this.#hovered = onWire >= 0 || placed?.open ? -1 : box;
    const sign = placed && where ? signAt(placed, where) : null;
    this.#host.style.cursor = sign || this.#hovered >= 0 ? "pointer" : "";
    const hovered: Hovered | null =
      onWire >= 0 ? { box: null, wire: onWire } : placed && !placed.open ? { box: placed, wire: null } : null;
    this.#events.hover(hovered, at ?? { x: 0, y: 0 });
    this.#request();
  }

  #click(at: Point): void {
    const where = toPicture(this.#camera, this.#size, at);
    const placed = this.#picture.boxes[boxAt(this.#picture, where)];
    const sign = placed ? signAt(placed, where) : null;
    this.#onSign = sign !== null;
    if (placed && sign === "toggle") this.#events.toggle(placed);
    else if (placed && sign) this.#events.step(placed, sign === "next" ? 1 : -1);
    else this.#events.select(placed ?? null);
  }

  /** The two clicks before it have selected the box. */
  #doubleClick(): void {
    const placed = this.#picture.boxes[this.#picture.places.get(this.#selected) ?? -1];
    if (!this.#onSign && placed?.box.opens) this.#events.toggle(placed);
  }

  #listenToMap(): void {
    const { signal } = this.#stop;
    const look = (event: PointerEvent) => {
      if (event.buttons === 0) return;
      const { left, top } = this.#mapHost.getBoundingClientRect();
      const at = pointOnMap(this.#minimap(), { x: event.clientX - left, y: event.clientY - top });
      this.#look({ ...this.#camera, ...at });
    };
    const press = (event: PointerEvent) => {
      this.#mapHost.setPointerCapture(event.pointerId);
      look(event);
    };
    this.#mapHost.addEventListener("pointerdown", press, { signal });
    this.#mapHost.addEventListener("pointermove", look, { signal });
  }

  // Drawing.

  #request(): void {
    frames.request(this, "visible", () => this.#draw());
  }

  #draw(): number {
    const { width, height } = this.#size;
    if (width === 0 || height === 0) return 0;
    const begin = performance.now();
    const part = this.#advance(begin);
    const move = this.#move;
    const picture = move?.boxes ? pictureBetween(move.starts, this.#picture, part) : this.#picture;
    clearSurface(this.#surface, width, height, devicePixels());
    const selected = this.#picture.places.get(this.#selected) ?? -1;
    const focus = this.#hovered >= 0 ? this.#hovered : selected;
    drawGraph(this.#surface.context, picture, {
      camera: this.#camera,
      view: this.#size,
      ...this.#style,
      focus,
      neighbors: picture.boxes[focus]?.open === false ? neighborsOf(picture, focus) : NO_NEIGHBORS,
      selected,
      active: this.#picture.places.get(this.#active) ?? -1,
      wire: this.#wire,
      wireAlpha: move?.boxes ? part ** 2 : 1,
    });
    this.#drawMap();
    const drawMs = performance.now() - begin;
    const { x, y, scale } = this.#camera;
    Object.assign(this.#host.dataset, {
      boxes: String(picture.boxes.length),
      camera: [x, y, scale].map((value) => value.toFixed(4)).join(),
      moving: String(move !== null),
      drawMs: drawMs.toFixed(1),
    });
    if (move) this.#request();
    return drawMs;
  }

  /** Moves on, and returns how far the move is. */
  #advance(now: number): number {
    const move = this.#move;
    if (!move) return 1;
    if (move.begin === 0) move.begin = now;
    const part = Math.min(1, (now - move.begin) / MOVE_MS);
    this.#camera = cameraBetween(move.from, move.to, eased(part));
    if (part >= 1) this.#move = null;
    return eased(part);
  }

  #minimap(): Minimap {
    return minimapOf(this.#picture.size, mapSize(this.#size));
  }

  #drawMap(): void {
    const seen = viewOf(this.#camera, this.#size);
    const useful = isMapUseful(this.#picture.size, seen);
    this.#mapHost.hidden = !useful;
    if (!useful) return;
    const map = this.#minimap();
    const { width, height } = map.size;
    Object.assign(this.#mapHost.style, { width: `${width}px`, height: `${height}px` });
    clearSurface(this.#map, width, height, devicePixels());
    const pen = this.#map.context;
    const { theme, colorOf } = this.#style;
    for (const placed of this.#picture.boxes) {
      if (placed.aside) continue;
      const { x, y, width: wide, height: high } = placed.rect;
      pen.globalAlpha = placed.open ? 0.1 : 0.55;
      pen.fillStyle = colorOf(placed) ?? theme.cursor;
      pen.fillRect(
        x * map.scale,
        y * map.scale,
        Math.max(1, wide * map.scale),
        Math.max(1, high * map.scale),
      );
    }
    const frame = frameOf(map, seen);
    pen.globalAlpha = 1;
    pen.strokeStyle = theme.accent;
    pen.lineWidth = 1.5;
    pen.strokeRect(
      frame.x + 0.75,
      frame.y + 0.75,
      Math.max(2, frame.width - 1.5),
      Math.max(2, frame.height - 1.5),
    );
  }
}

function openPaths({ boxes }: Picture): ReadonlySet<string> {
  return new Set(boxes.flatMap(({ open, box }) => (open ? [box.path] : [])));
}
