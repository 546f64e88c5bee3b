/**
 * Where one looks from: points of two or three dimensions to places on the screen, and back for pans and zooms. In three
 * dimensions the points turn about the middle of their box, and what is far is drawn smaller. Pure.
 */

export interface Camera {
  /** The middle of the picture, in units of the points, after turning. */
  x: number;
  y: number;
  /** Units of the points along the shorter side of the picture. */
  span: number;
  /** Radians about the upright axis and the level one. */
  yaw: number;
  pitch: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The box the points lie in, and the ball about its middle. */
export interface Extent {
  dims: number;
  radius: number;
  least: readonly number[];
  most: readonly number[];
}

/** Places on the screen in pixels, and how far away each is: 0 near, 1 far. */
export interface Places {
  count: number;
  x: Float32Array;
  y: Float32Array;
  far: Float32Array;
}

/** Room left around the points, of the whole. */
const MARGIN = 0.06;
/** The eye stands so many radii before the middle. */
const EYE = 3.2;
/** As one first sees a solid. */
const YAW = 0.6;
const PITCH = 0.35;
const SMALLEST = 1e-12;

export function emptyPlaces(count: number): Places {
  return { count, x: new Float32Array(count), y: new Float32Array(count), far: new Float32Array(count) };
}

/** Never 0. */
function radiusOf({ radius }: Extent): number {
  return Math.max(SMALLEST, radius);
}

export function middleOf({ least, most }: Extent): number[] {
  return least.map((from, axis) => (from + most[axis]!) / 2);
}

/** All points in sight right of the first `left` pixels; turned as `camera` is, if one is given. */
export function fitted(extent: Extent, { width, height }: Size, left = 0, camera?: Camera): Camera {
  const free = Math.max(1, width - left);
  const short = Math.max(1, Math.min(width, height));
  if (extent.dims === 3) {
    const { yaw = YAW, pitch = PITCH } = camera ?? {};
    const perPixel = (2 * radiusOf(extent) * (1 + MARGIN)) / Math.max(1, Math.min(free, height));
    return { x: (-left / 2) * perPixel, y: 0, span: perPixel * short, yaw, pitch };
  }
  const [x = 0, y = 0] = middleOf(extent);
  const [across = 0, down = 0] = extent.least.map((from, axis) => extent.most[axis]! - from);
  const perPixel = Math.max(across / free, down / Math.max(1, height), SMALLEST) * (1 + 2 * MARGIN);
  return { x: x - (left / 2) * perPixel, y, span: perPixel * short, yaw: 0, pitch: 0 };
}

/** Pixels for each unit of the points. */
export function scaleOf({ span }: Camera, { width, height }: Size): number {
  return Math.max(1, Math.min(width, height)) / span;
}

/** Writes into `out` where the points stand on the screen. */
export function project(xyz: Float32Array, extent: Extent, camera: Camera, size: Size, out: Places): void {
  if (extent.dims === 3) projectSolid(xyz, extent, camera, size, out);
  else projectFlat(xyz, camera, size, out);
}

function projectFlat(xyz: Float32Array, camera: Camera, size: Size, out: Places): void {
  const scale = scaleOf(camera, size);
  const left = size.width / 2 - camera.x * scale;
  const top = size.height / 2 + camera.y * scale;
  for (let row = 0; row < out.count; row++) {
    out.x[row] = left + xyz[3 * row]! * scale;
    out.y[row] = top - xyz[3 * row + 1]! * scale;
  }
  out.far.fill(0);
}

function projectSolid(xyz: Float32Array, extent: Extent, camera: Camera, size: Size, out: Places): void {
  const scale = scaleOf(camera, size);
  const [midX = 0, midY = 0, midZ = 0] = middleOf(extent);
  const radius = radiusOf(extent);
  const eye = EYE * radius;
  const [sinYaw, cosYaw] = [Math.sin(camera.yaw), Math.cos(camera.yaw)];
  const [sinPitch, cosPitch] = [Math.sin(camera.pitch), Math.cos(camera.pitch)];
  for (let row = 0; row < out.count; row++) {
    const x = xyz[3 * row]! - midX;
    const y = xyz[3 * row + 1]! - midY;
    const z = xyz[3 * row + 2]! - midZ;
    const right = x * cosYaw + z * sinYaw;
    const ahead = z * cosYaw - x * sinYaw;
    const up = y * cosPitch - ahead * sinPitch;
    const near = ahead * cosPitch + y * sinPitch;
    const closer = (scale * eye) / (eye - near);
    out.x[row] = size.width / 2 + right * closer - camera.x * scale;
    out.y[row] = size.height / 2 - up * closer + camera.y * scale;
    out.far[row] = (1 - near / radius) / 2;
  }
}

/** Moved by pixels: what was under the pointer stays under it. */
export function panned(camera: Camera, size: Size, dx: number, dy: number): Camera {
  const scale = scaleOf(camera, size);
  return { ...camera, x: camera.x - dx / scale, y: camera.y + dy / scale };
}

/** Turned as a ball under the hand: the width of the picture is half a turn. */
export function turned(camera: Camera, size: Size, dx: number, dy: number): Camera {
  const perPixel = Math.PI / Math.max(1, Math.min(size.width, size.height));
  const pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, camera.pitch + dy * perPixel));
  return { ...camera, yaw: camera.yaw + dx * perPixel, pitch };
}

/** `factor` times as much in sight; what lies at (x, y) pixels stays there. */
export function zoomed(camera: Camera, size: Size, factor: number, x: number, y: number): Camera {
  const scale = scaleOf(camera, size);
  const [right, up] = [(x - size.width / 2) / scale, (size.height / 2 - y) / scale];
  return {
    ...camera,
    x: camera.x + right * (1 - factor),
    y: camera.y + up * (1 - factor),
    span: Math.max(SMALLEST, camera.span * factor),
  };
}
