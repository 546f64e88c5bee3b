/**
 * All that a picture of points is made of, kept between pictures: places, colours, who stands out, the camera, what is on
 * the way from one layout to the next. Draws into an image; knows no canvas and no clock of its own.
 */

import {
  type Camera,
  type Extent,
  emptyPlaces,
  fitted,
  middleOf,
  type Places,
  panned,
  project,
  type Size,
  scaleOf,
  turned,
  zoomed,
} from "./camera";
import { type Candidate, type Cell, thinned } from "./labels";
import { enclosed, Grid } from "./picking";
import { between, decodePositions, type Positions } from "./positions";
import { type Image, type Palette, splat } from "./splat";

/** What one picture showed. */
export interface Drawn {
  count: number;
  /** Points that lie in the picture. */
  inSight: number;
  camera: Camera;
  /** Points are on the way to their next places: another picture is due. */
  moving: boolean;
  /** x, y of each row that is followed; NaN if there is none. */
  marks: Float32Array;
  candidates: Candidate[];
}

interface Way {
  from: Float32Array;
  fromExtent: Extent;
  beginMs: number;
}

const WAY_MS = 280;
/** Width of the tools that lie over the left edge: nothing is fitted under them. */
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

export class Stage {
  palette: Palette = BLANK;
  /** Rows whose places are told with each picture. */
  followed: Uint32Array = new Uint32Array(0);
  /** How much room a label needs; null where there are none. */
  cell: Cell | null = null;
  #positions = NOTHING;
  #now = NOTHING.xyz;
  #extent: Extent = NOTHING;
  #way: Way | null = null;
  #places = emptyPlaces(0);
  #codes: Uint8Array = new Uint8Array(0);
  #states: Uint8Array = new Uint8Array(0);
  #size: Size = { width: 1, height: 1 };
  #camera = NOWHERE;
  /** The camera keeps all in sight until somebody moves it. */
  #fits = true;
  #grid: Grid | null = null;

  /** A layout; `calm` goes there at once. A camera given is taken as it is. */
  place(body: ArrayBuffer, nowMs: number, calm: boolean): void {
    const next = decodePositions(body);
    const before = this.#positions;
    const known = before.count === next.count && before.count > 0;
    this.#way = known && !calm ? { from: this.#now, fromExtent: this.#extent, beginMs: nowMs } : null;
    if (before.dims !== next.dims) this.#fits = true;
    this.#positions = next;
    this.#now = this.#way ? this.#now.slice() : next.xyz;
    this.#extent = next;
    if (!known) this.#places = emptyPlaces(next.count);
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

  /** Moves the picture, or turns it. */
  drag(dx: number, dy: number, turns: boolean): void {
    if (turns && this.#positions.dims === 3) this.#camera = turned(this.#camera, this.#size, dx, dy);
    else {
      this.#camera = panned(this.#camera, this.#size, dx, dy);
      this.#fits = false;
    }
  }

  zoom(factor: number, x = this.#size.width / 2, y = this.#size.height / 2): void {
    this.#camera = zoomed(this.#camera, this.#size, factor, x, y);
    this.#fits = false;
  }

  fit(): void {
    this.#fits = true;
  }

  look(camera: Camera): void {
    this.#camera = camera;
    this.#fits = false;
  }

  /** `ratio` is device pixels for a CSS pixel. */
  draw(image: Image, nowMs: number, ratio: number): Drawn {
    const moving = this.#advance(nowMs);
    if (this.#fits)
      this.#camera = fitted(
        this.#extent,
        this.#size,
        TOOLS_PX,
        this.#camera === NOWHERE ? undefined : this.#keptTurn(),
      );
    project(this.#now, this.#extent, this.#camera, this.#size, this.#places);
    this.#grid = null;
    const look = { codes: this.#codes, states: this.#states, palette: this.palette };
    const inSight = splat(image, this.#places, look, this.#positions.dims === 3, ratio);
    return {
      count: this.#positions.count,
      inSight,
      camera: this.#camera,
      moving,
      marks: this.#marks(),
      candidates: this.#candidates(),
    };
  }

  /** The same picture in other colours, as for paper. */
  copy(image: Image, palette: Palette, ratio: number): void {
    const look = { codes: this.#codes, states: this.#states, palette };
    splat(image, this.#places, look, this.#positions.dims === 3, ratio);
  }

  /** The row nearest to a place of the last picture; -1 if none is near. */
  find(x: number, y: number, within: number): { row: number; x: number; y: number } {
    this.#grid ??= new Grid(this.#places, this.#states, this.#size.width, this.#size.height);
    const row = this.#grid.nearest(x, y, within);
    return { row, x: this.#places.x[row] ?? 0, y: this.#places.y[row] ?? 0 };
  }

  enclose(line: readonly number[]): Uint32Array {
    return enclosed(this.#places, this.#states, line);
  }

  /** Where everything stood in the last picture. */
  get shown(): { places: Places; codes: Uint8Array; states: Uint8Array } {
    return { places: this.#places, codes: this.#codes, states: this.#states };
  }

  /** A solid that was never turned is seen from the side that shows its depth. */
  #keptTurn(): Camera | undefined {
    const { yaw, pitch } = this.#camera;
    return yaw === 0 && pitch === 0 ? undefined : this.#camera;
  }

  #advance(nowMs: number): boolean {
    const way = this.#way;
    if (way === null) return false;
    const part = Math.min(1, (nowMs - way.beginMs) / WAY_MS);
    const eased = part * (2 - part);
    between(way.from, this.#positions.xyz, eased, this.#now);
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
    // The origin of the picture: labels keep their points while it is dragged.
    const from = {
      x: width / 2 - this.#camera.x * scale,
      y: height / 2 + this.#camera.y * scale,
    };
    const origin = solid ? from : { x: from.x + (middleOf(this.#extent)[0] ?? 0) * scale, y: from.y };
    return thinned(this.#places, this.#states, this.cell, origin, this.#size);
  }
}

function extentBetween(from: Extent, to: Extent, part: number): Extent {
  const way = (a: readonly number[], b: readonly number[]) =>
    a.map((value, axis) => value + (b[axis]! - value) * part);
  const radius = from.radius + (to.radius - from.radius) * part;
  return { dims: to.dims, radius, least: way(from.least, to.least), most: way(from.most, to.most) };
}
