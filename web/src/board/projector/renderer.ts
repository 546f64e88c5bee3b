/**
 * The state of the rendered points between pictures: positions, colours, highlights, camera, and the transition
 * between layouts. Renders to an image; has no canvas and no clock of its own.
 */

import {
  type Camera,
  type Extent,
  emptyScreenPositions,
  fitCamera,
  middleOf,
  panCamera,
  project,
  type ScreenPositions,
  type Size,
  scaleOf,
  turnCamera,
  zoomCamera,
} from "./camera";
import { type Candidate, type Cell, labelCandidates } from "./labels";
import { Grid, rowsInside } from "./picking";
import { decodePositions, interpolate, type Positions } from "./positions";
import { type Image, type Palette, splat } from "./splat";

/** Statistics of one picture. */
export interface FrameStats {
  count: number;
  /** Number of points in the picture. */
  inSight: number;
  camera: Camera;
  /** Points are moving to their next positions, so another picture is needed. */
  moving: boolean;
  /** x, y of each followed row; NaN if there is none. */
  marks: Float32Array;
  candidates: Candidate[];
}

interface ViewTransition {
  from: Float32Array;
  fromExtent: Extent;
  beginMs: number;
}

const WAY_MS = 280;
/** Width of the tools over the left edge: nothing is fitted under them. */
const TOOLS_PX = 44;
const NOWHERE: Camera = { x: 0, y: 0, span: 1, yaw: 0, pitch: 0 };
const NOTHING: Positions = {
  count: 0,
  dims: 2,
  xyz: new Float32Array(0),
  least: [0, 0, 0],
  most: [0, 0, 0],
  radius: 0,
};
const BLANK: Palette = { colors: [0], shapes: [0], paper: 0 };

export class PointRenderer {
  palette: Palette = BLANK;
  /** Rows whose positions are reported with each picture. */
  followed: Uint32Array = new Uint32Array(0);
  /** Size of a label; null without labels. */
  cell: Cell | null = null;
  #positions = NOTHING;
  #now = NOTHING.xyz;
  #extent: Extent = NOTHING;
  #way: ViewTransition | null = null;
  #places = emptyScreenPositions(0);
  #codes: Uint8Array = new Uint8Array(0);
  #states: Uint8Array = new Uint8Array(0);
  #size: Size = { width: 1, height: 1 };
  #camera = NOWHERE;
  /** Keep everything in view until the user moves the camera. */
  #fits = true;
  #grid: Grid | null = null;

  /** Shows a layout; `calm` skips the transition. A given camera is used unchanged. */
  place(body: ArrayBuffer, nowMs: number, calm: boolean): void {
    const next = decodePositions(body);
    const before = this.#positions;
    const known = before.count === next.count && before.count > 0;
    this.#way = known && !calm ? { from: this.#now, fromExtent: this.#extent, beginMs: nowMs } : null;
    if (before.dims !== next.dims) this.#fits = true;
    this.#positions = next;
    this.#now = this.#way ? this.#now.slice() : next.xyz;
    this.#extent = next;
    if (!known) this.#places = emptyScreenPositions(next.count);
    if (this.#codes.length !== next.count) this.#codes = new Uint8Array(next.count);
    if (this.#states.length !== next.count) this.#states = new Uint8Array(next.count);
  }

  paint(codes: Uint8Array, palette: Palette): void {
    this.#codes = codes;
    this.palette = palette;
  }

  standOut(states: Uint8Array): void {
    this.#states = states;
  }

  resize(size: Size): void {
    this.#size = size;
  }

  /** Moves or rotates the picture. */
  drag(dx: number, dy: number, rotates: boolean): void {
    if (rotates && this.#positions.dims === 3) this.#camera = turnCamera(this.#camera, this.#size, dx, dy);
    else {
      this.#camera = panCamera(this.#camera, this.#size, dx, dy);
      this.#fits = false;
    }
  }

  zoom(factor: number, x = this.#size.width / 2, y = this.#size.height / 2): void {
    this.#camera = zoomCamera(this.#camera, this.#size, factor, x, y);
    this.#fits = false;
  }

  fit(): void {
    this.#fits = true;
  }

  pointStyle(camera: Camera): void {
    this.#camera = camera;
    this.#fits = false;
  }

  /** `ratio`: device pixels per CSS pixel. */
  draw(image: Image, nowMs: number, ratio: number): FrameStats {
    const moving = this.#advance(nowMs);
    if (this.#fits)
      this.#camera = fitCamera(
        this.#extent,
        this.#size,
        TOOLS_PX,
        this.#camera === NOWHERE ? undefined : this.#keptTurn(),
      );
    project(this.#now, this.#extent, this.#camera, this.#size, this.#places);
    this.#grid = null;
    const pointStyle = { codes: this.#codes, states: this.#states, palette: this.palette };
    const inSight = splat(image, this.#places, pointStyle, this.#positions.dims === 3, ratio);
    return {
      count: this.#positions.count,
      inSight,
      camera: this.#camera,
      moving,
      marks: this.#marks(),
      candidates: this.#candidates(),
    };
  }

  /** The same picture in other colours, for exports. */
  copy(image: Image, palette: Palette, ratio: number): void {
    const pointStyle = { codes: this.#codes, states: this.#states, palette };
    splat(image, this.#places, pointStyle, this.#positions.dims === 3, ratio);
  }

  /** The row nearest to a position of the last picture; -1 if none is near. */
  find(x: number, y: number, within: number): { row: number; x: number; y: number } {
    this.#grid ??= new Grid(this.#places, this.#states, this.#size.width, this.#size.height);
    const row = this.#grid.nearest(x, y, within);
    return { row, x: this.#places.x[row] ?? 0, y: this.#places.y[row] ?? 0 };
  }

  enclose(line: readonly number[]): Uint32Array {
    return rowsInside(this.#places, this.#states, line);
  }

  /** Positions in the last picture. */
  get shown(): { places: ScreenPositions; codes: Uint8Array; states: Uint8Array } {
    return { places: this.#places, codes: this.#codes, states: this.#states };
  }

  /** Three-dimensional points that were never rotated are shown from a side with depth. */
  #keptTurn(): Camera | undefined {
    const { yaw, pitch } = this.#camera;
    return yaw === 0 && pitch === 0 ? undefined : this.#camera;
  }

  #advance(nowMs: number): boolean {
    const way = this.#way;
    if (way === null) return false;
    const part = Math.min(1, (nowMs - way.beginMs) / WAY_MS);
    const eased = part * (2 - part);
    interpolate(way.from, this.#positions.xyz, eased, this.#now);
    this.#extent = extentBetween(way.fromExtent, this.#positions, eased);
    if (part === 1) this.#way = null;
    return part < 1;
  }

  #marks(): Float32Array {
    const { x, y } = this.#places;
    const marks = new Float32Array(2 * this.followed.length);
    this.followed.forEach((row, at) => {
      marks[2 * at] = x[row] ?? Number.NaN;
      marks[2 * at + 1] = y[row] ?? Number.NaN;
    });
    return marks;
  }

  #candidates(): Candidate[] {
    if (this.cell === null) return [];
    const { width, height } = this.#size;
    const scale = scaleOf(this.#camera, this.#size);
    const solid = this.#positions.dims === 3;
    // The origin of the picture, so that labels keep their points while it is dragged.
    const from = {
      x: width / 2 - this.#camera.x * scale,
      y: height / 2 + this.#camera.y * scale,
    };
    const origin = solid ? from : { x: from.x + (middleOf(this.#extent)[0] ?? 0) * scale, y: from.y };
    return labelCandidates(this.#places, this.#states, this.cell, origin, this.#size);
  }
}

function extentBetween(from: Extent, to: Extent, part: number): Extent {
  const way = (a: readonly number[], b: readonly number[]) =>
    a.map((value, axis) => value + (b[axis]! - value) * part);
  const radius = from.radius + (to.radius - from.radius) * part;
  return { dims: to.dims, radius, least: way(from.least, to.least), most: way(from.most, to.most) };
}
