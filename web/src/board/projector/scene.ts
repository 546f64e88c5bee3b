/**
 * The points on the page: the canvas of the worker, an overlay canvas for what follows the pointer, and gestures.
 * Uses rows of the tensor, even if a layout has only some of them. No React.
 */

import { addSurface, clearSurface, devicePixels, removeSurface, type Surface } from "../../chart/surface";
import { Gestures, type Tool } from "../../lib/gestures";
import type { PointerPosition } from "../../lib/pointer-position";
import { listen } from "../../lib/pointers";
import type { Camera } from "./camera";
import type { Coloring } from "./coloring";
import {
  type Cell,
  LABEL_PX,
  type Labelling,
  type PlacedLabel,
  placeLabels,
  spreadCandidates,
} from "./labels";
import { drawMarks, drawOutline, drawTexts, drawTiles, type OverlayTheme } from "./overlay";
import type { FrameStats } from "./renderer";
import type { FromWorker, ShownPoints, ToWorker } from "./renderer-messages";
import type { Palette } from "./splat";

export interface SceneEvents {
  /** The row under the pointer, -1 for none, and its position. */
  hover(row: number, x: number, y: number): void;
  click(row: number, extend: boolean): void;
  enclose(rows: Uint32Array, extend: boolean): void;
  drawn(drawn: FrameStats, drawMs: number): void;
  fault(message: string): void;
}

const LABEL_CELL: Cell = { width: 88, height: 28 };
const HIT_PX = { mouse: 9, touch: 22 };
const TILE_PX = 40;
const NO_LABELS: Labelling = { marks: "points", textOf: () => "", tiles: null };
const NONE = new Uint32Array(0);

export class Scene {
  readonly #host: HTMLElement;
  readonly #events: SceneEvents;
  readonly #worker: Worker;
  readonly #canvas: HTMLCanvasElement;
  readonly #over: Surface;
  readonly #gestures: Gestures;
  readonly #stop = new AbortController();
  readonly #asked = new Map<number, (answer: unknown) => void>();
  #lastId = 0;
  #size = { width: 0, height: 0 };
  /** Rows of the tensor in the layout; null is all. */
  #rows: Uint32Array | null = null;
  #places = new Map<number, number>();
  #count = 0;
  #marked: readonly number[] = [];
  #coloring: Coloring | null = null;
  #states: Uint8Array | null = null;
  #labelling = NO_LABELS;
  #drawn: FrameStats | null = null;
  #hovered: { row: number; x: number; y: number } | null = null;
  #line: readonly number[] | null = null;
  #pointer: { x: number; y: number; within: number } | null = null;
  #finding = false;
  #theme: OverlayTheme;
  #placed: readonly PlacedLabel[] = [];
  /** Skip transitions, which would make screenshots of tests differ. */
  readonly #calm: boolean;

  constructor(host: HTMLElement, theme: OverlayTheme, events: SceneEvents) {
    this.#host = host;
    this.#events = events;
    this.#theme = theme;
    this.#calm =
      "still" in document.documentElement.dataset || matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.#canvas = document.createElement("canvas");
    Object.assign(this.#canvas.style, { position: "absolute", inset: "0", width: "100%", height: "100%" });
    this.#canvas.setAttribute("aria-hidden", "true");
    host.append(this.#canvas);
    this.#over = addSurface(host);
    this.#worker = new Worker(new URL("./renderer.worker.ts", import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data);
    this.#worker.onerror = (event) => events.fault(event.message);
    const canvas = this.#canvas.transferControlToOffscreen();
    this.#tell({ kind: "canvas", canvas }, [canvas]);
    this.#gestures = new Gestures({
      hover: (at) => this.#point(at, HIT_PX.mouse),
      drag: (dx, dy, other) => this.#tell({ kind: "drag", dx, dy, rotates: !other }),
      zoom: (factor, x, y) => this.#tell({ kind: "zoom", factor, x, y }),
      line: (points) => {
        this.#line = points && [...points];
        this.refresh();
      },
      enclose: (points, extend) => void this.#enclose(points, extend),
      click: (at, extend) => void this.#click(at, extend),
    });
    listen(host, this.#gestures, () => this.fit(), this.#stop.signal);
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      this.#size = { width, height };
      this.#tell({ kind: "size", width, height, ratio: devicePixels() });
    });
    observer.observe(host);
    this.#stop.signal.addEventListener("abort", () => observer.disconnect());
  }

  destroy(): void {
    this.#stop.abort();
    this.#worker.terminate();
    this.#canvas.remove();
    removeSurface(this.#over);
  }

  set tool(tool: Tool) {
    this.#gestures.tool = tool;
  }

  /** Shows a layout from the server, of these rows of the tensor; null is all of them. */
  place(body: ArrayBuffer, rows: Uint32Array | null): void {
    const count = new DataView(body).getUint32(0, true);
    const others = count !== this.#count || rows !== this.#rows;
    this.#count = count;
    this.#rows = rows;
    this.#places = new Map(rows === null ? [] : [...rows].map((row, place) => [row, place]));
    this.#tell({ kind: "place", body, calm: this.#calm }, [body]);
    this.#follow();
    if (!others) return;
    if (this.#coloring) this.paint(this.#coloring);
    if (this.#states) this.standOut(this.#states);
  }

  /** Removes all points, before those of another tensor. */
  clear(): void {
    const none = new Uint32Array(6);
    none[1] = 2;
    this.#coloring = null;
    this.#states = null;
    this.place(none.buffer, null);
    this.fit();
  }

  /** The number of points of the layout. */
  get count(): number {
    return this.#count;
  }

  /** Sets the colours of all rows of the tensor. */
  paint(coloring: Coloring): void {
    this.#coloring = coloring;
    const { codes, palette } = coloring;
    this.#tell({ kind: "paint", codes: this.#ofLayout(codes), palette });
  }

  /** Sets the state of each row of the tensor. */
  standOut(states: Uint8Array): void {
    this.#states = states;
    this.#tell({ kind: "standOut", states: this.#ofLayout(states) });
  }

  /** Marks rows with a ring and a label; the first is the focused one. */
  mark(rows: readonly number[]): void {
    this.#marked = rows;
    this.#follow();
  }

  label(labelling: Labelling): void {
    this.#labelling = labelling;
    const { marks, tiles } = labelling;
    const side = TILE_PX + 8;
    const cell =
      marks === "labels" ? LABEL_CELL : marks === "images" && tiles ? { width: side, height: side } : null;
    this.#tell({ kind: "labels", cell });
  }

  applyTheme(theme: OverlayTheme): void {
    this.#theme = theme;
    this.refresh();
  }

  /** Moves or rotates the picture by pixels. */
  move(dx: number, dy: number, rotates: boolean): void {
    this.#tell({ kind: "drag", dx, dy, rotates });
  }

  zoom(factor: number): void {
    this.#tell({ kind: "zoom", factor });
  }

  fit(): void {
    this.#tell({ kind: "fit" });
  }

  lineStyle(camera: Camera): void {
    this.#tell({ kind: "look", camera });
  }

  get camera(): Camera | null {
    return this.#drawn?.camera ?? null;
  }

  get size(): { width: number; height: number } {
    return this.#size;
  }

  /** The current labels, in the order of placement. */
  get labels(): readonly { text: string; left: number; middle: number; row: number }[] {
    return this.#placed.map((label) => ({ ...label, text: this.#labelling.textOf(label.row) ?? "" }));
  }

  /** Positions of all points, to be drawn elsewhere. */
  shown(): Promise<ShownPoints> {
    return this.#ask({ kind: "shown" }) as Promise<ShownPoints>;
  }

  /** The points as a PNG in other colours. */
  picture(palette: Palette, ratio: number): Promise<Blob> {
    return this.#ask({ kind: "picture", palette, ratio }) as Promise<Blob>;
  }

  /** Redraws the overlay. */
  refresh(): void {
    const { width, height } = this.#size;
    if (width === 0 || height === 0) return;
    clearSurface(this.#over, width, height, devicePixels());
    const pen = this.#over.context;
    const points = this.#markedPoints();
    const { marks, tiles } = this.#labelling;
    const candidates = (this.#drawn?.candidates ?? []).map((point) => ({
      ...point,
      row: this.#rowAt(point.row),
    }));
    if (marks === "images" && tiles) drawTiles(pen, spreadCandidates(candidates, TILE_PX), tiles, TILE_PX);
    drawMarks(pen, points, this.#theme);
    this.#placed = this.#place([...points, ...(marks === "labels" ? candidates : [])]);
    drawTexts(pen, this.labels, this.#theme);
    if (this.#hovered) drawMarks(pen, [this.#hovered], this.#theme);
    if (this.#line) drawOutline(pen, this.#line, this.#theme);
  }

  #place(wanted: readonly { row: number; x: number; y: number }[]): PlacedLabel[] {
    const pen = this.#over.context;
    pen.font = this.#theme.font;
    const once = new Map(wanted.map((point) => [point.row, point]));
    const widthOf = (row: number) => {
      const text = this.#labelling.textOf(row);
      return text ? Math.ceil(pen.measureText(text).width) + LABEL_PX / 2 : 0;
    };
    return placeLabels([...once.values()], widthOf, this.#size);
  }

  #markedPoints(): { row: number; x: number; y: number }[] {
    const marks = this.#drawn?.marks;
    if (marks === undefined) return [];
    return this.#marked.flatMap((row, at) => {
      const [x, y] = [marks[2 * at] ?? Number.NaN, marks[2 * at + 1] ?? Number.NaN];
      return Number.isFinite(x) && Number.isFinite(y) ? [{ row, x, y }] : [];
    });
  }

  #follow(): void {
    const missing = 0xffffffff;
    const rows =
      this.#rows === null ? this.#marked : this.#marked.map((row) => this.#places.get(row) ?? missing);
    this.#tell({ kind: "follow", rows: Uint32Array.from(rows) });
  }

  #rowAt(place: number): number {
    return this.#rows === null ? place : (this.#rows[place] ?? -1);
  }

  /** Picks the values of the rows of the layout from those of the tensor. */
  #ofLayout(values: Uint8Array): Uint8Array {
    return this.#rows === null ? values : Uint8Array.from(this.#rows, (row) => values[row]!);
  }

  /** One request at a time: the pointer moves faster than responses arrive. */
  async #point(at: PointerPosition | null, within: number): Promise<void> {
    this.#pointer = at && { x: at.x, y: at.y, within };
    if (at === null) this.#hover(null);
    if (this.#finding) return;
    this.#finding = true;
    while (this.#pointer !== null) {
      const pointer = this.#pointer;
      const found = await this.#find(pointer);
      if (this.#pointer !== null) this.#hover(found.row < 0 ? null : found);
      if (this.#pointer === pointer) break;
    }
    this.#finding = false;
  }

  async #find(at: { x: number; y: number; within: number }): Promise<{ row: number; x: number; y: number }> {
    const { x, y, within } = at;
    const found = (await this.#ask({ kind: "find", x, y, within })) as { row: number; x: number; y: number };
    return found.row < 0 ? found : { ...found, row: this.#rowAt(found.row) };
  }

  #hover(found: { row: number; x: number; y: number } | null): void {
    if (found === null && this.#hovered === null) return;
    this.#hovered = found;
    this.#host.style.cursor = found === null ? "" : "pointer";
    this.#events.hover(found?.row ?? -1, found?.x ?? 0, found?.y ?? 0);
    this.refresh();
  }

  async #click(at: PointerPosition, extend: boolean): Promise<void> {
    const { row } = await this.#find({ ...at, within: HIT_PX.touch / 2 });
    this.#events.click(row, extend);
  }

  async #enclose(points: readonly number[], extend: boolean): Promise<void> {
    const found = (await this.#ask({ kind: "enclose", line: points })) as Uint32Array;
    const rows = found.length === 0 ? NONE : found.map((place) => this.#rowAt(place));
    this.#events.enclose(rows.toSorted(), extend);
  }

  #tell(message: ToWorker, transfer: Transferable[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  #ask(request: RequestModel): Promise<unknown> {
    this.#lastId += 1;
    const id = this.#lastId;
    this.#tell({ ...request, id } as ToWorker);
    return new Promise((resolve) => this.#asked.set(id, resolve));
  }

  #hear(message: FromWorker): void {
    if (message.kind === "drawn") {
      this.#drawn = message.drawn;
      this.refresh();
      this.#events.drawn(message.drawn, message.drawMs);
    } else if (message.kind === "answer") {
      this.#asked.get(message.id)?.(message.answer);
      this.#asked.delete(message.id);
    } else this.#events.fault(message.message);
  }
}

type RequestModel =
  | { kind: "find"; x: number; y: number; within: number }
  | { kind: "enclose"; line: readonly number[] }
  | { kind: "shown" }
  | { kind: "picture"; palette: Palette; ratio: number };
