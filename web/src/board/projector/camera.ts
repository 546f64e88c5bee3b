/**
 * The camera: projects points of two or three dimensions to the screen, and back for pans and zooms. In three
 * dimensions the points turn about the middle of their box, and distant ones are smaller. Pure.
 */

export interface Camera {
  /** The centre of the picture, in units of the points, after rotation. */
  x: number;
  y: number;
  /** Units of the points along the shorter side of the picture. */
  span: number;
  /** Rotation about the vertical and the horizontal axis, in radians. */
  yaw: number;
  pitch: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The bounding box of the points, and the sphere about its middle. */
export interface Extent {
  dims: number;
  radius: number;
  least: readonly number[];
  most: readonly number[];
}

/** Screen positions in pixels, and the depth of each: 0 near, 1 far. */
export interface ScreenPositions {
  count: number;
  x: Float32Array;
  y: Float32Array;
  far: Float32Array;
}

/** Margin around the points, as a share of the size. */
const MARGIN = 0.06;
/** Distance of the eye from the middle, in radii. */
const EYE = 3.2;
/** Initial rotation in three dimensions. */
const YAW = 0.6;
const PITCH = 0.35;
const SMALLEST = 1e-12;

export function emptyScreenPositions(count: number): ScreenPositions {
  return { count, x: new Float32Array(count), y: new Float32Array(count), far: new Float32Array(count) };
}

/** Never 0. */
function radiusOf({ radius }: Extent): number {
  return Math.max(SMALLEST, radius);
}

export function middleOf({ least, most }: Extent): number[] {
  return least.map((from, axis) => (from + most[axis]!) / 2);
}

/** A camera with all points in view, right of the first `left` pixels; rotated like `camera`, if given. */
export function fitCamera(extent: Extent, { width, height }: Size, left = 0, camera?: Camera): Camera {
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

/** Writes the screen positions of points to `out`. */
export function project(
  xyz: Float32Array,
  extent: Extent,
  camera: Camera,
  size: Size,
  out: ScreenPositions,
): void {
  if (extent.dims === 3) projectSolid(xyz, extent, camera, size, out);
  else projectFlat(xyz, camera, size, out);
}

function projectFlat(xyz: Float32Array, camera: Camera, size: Size, out: ScreenPositions): void {
  const scale = scaleOf(camera, size);
  const left = size.width / 2 - camera.x * scale;
  const top = size.height / 2 + camera.y * scale;
  for (let row = 0; row < out.count; row++) {
    out.x[row] = left + xyz[3 * row]! * scale;
    out.y[row] = top - xyz[3 * row + 1]! * scale;
  }
  out.far.fill(0);
}

function projectSolid(
  xyz: Float32Array,
  extent: Extent,
  camera: Camera,
  size: Size,
  out: ScreenPositions,
): void {
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

/** Moves by pixels: what was under the pointer stays under it. */
export function panCamera(camera: Camera, size: Size, dx: number, dy: number): Camera {
  const scale = scaleOf(camera, size);
  return { ...camera, x: camera.x - dx / scale, y: camera.y + dy / scale };
}

/** Rotates like a trackball: the width of the picture is half a turn. */
export function turnCamera(camera: Camera, size: Size, dx: number, dy: number): Camera {
  const perPixel = Math.PI / Math.max(1, Math.min(size.width, size.height));
  const pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, camera.pitch + dy * perPixel));
  return { ...camera, yaw: camera.yaw + dx * perPixel, pitch };
}

/** Shows `factor` times as much; what is at (x, y) pixels stays there. */
export function zoomCamera(camera: Camera, size: Size, factor: number, x: number, y: number): Camera {
  const scale = scaleOf(camera, size);
  const [right, up] = [(x - size.width / 2) / scale, (size.height / 2 - y) / scale];
  return {
    ...camera,
    x: camera.x + right * (1 - factor),
    y: camera.y + up * (1 - factor),
    span: Math.max(SMALLEST, camera.span * factor),
  };
}
