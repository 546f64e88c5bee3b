/**
 * Camera mathematics: which part of space is shown, from where, with which field of view. Matrices are 16 numbers in
 * column-major order. Pure.
 */

import { clampPose, type Pose } from "../view/mesh-view";

export type Vector = readonly [number, number, number];

/** The sphere, in mesh coordinates, that the camera looks at. */
export interface Frame {
  center: Vector;
  radius: number;
}

/** The camera as the writer described it. */
export interface Camera {
  orthographic: boolean;
  /** Vertical field of view in degrees. */
  fov: number;
}

export const DEFAULT_CAMERA: Camera = { orthographic: false, fov: 45 };

/** The axes of a camera. */
export interface Basis {
  right: Vector;
  up: Vector;
  /** Towards the camera. */
  back: Vector;
}

const TURN_PER_PX = 0.008;
const NEAREST = 0.01;

export function frameOf(low: Vector, high: Vector): Frame {
  const center: Vector = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const radius = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
  return { center, radius: radius > 0 && Number.isFinite(radius) ? radius : 1 };
}

/** The box around both. */
export function joinedBox(
  one: { low: Vector; high: Vector } | null,
  other: { low: Vector; high: Vector },
): { low: Vector; high: Vector } {
  if (!one) return other;
  const pick = (how: (a: number, b: number) => number, a: Vector, b: Vector): Vector => [
    how(a[0], b[0]),
    how(a[1], b[1]),
    how(a[2], b[2]),
  ];
  return { low: pick(Math.min, one.low, other.low), high: pick(Math.max, one.high, other.high) };
}

export function basisOf({ yaw, pitch }: Pose): Basis {
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  return { right: [cy, 0, -sy], up: [-sy * sp, cp, -cy * sp], back: [sy * cp, sp, cy * cp] };
}

/** The distance of the camera in radii, so that the sphere fits into the shorter side. */
export function distanceOf(camera: Camera, zoom: number, aspect: number): number {
  const half = (camera.fov * Math.PI) / 360;
  const across = Math.min(half, Math.atan(Math.tan(half) * aspect));
  return 1 / Math.sin(across) / zoom;
}

/** Half the height of the picture at the sphere, in radii. */
export function reachOf(camera: Camera, zoom: number, aspect: number): number {
  if (camera.orthographic) return Math.max(1, 1 / aspect) / zoom;
  return distanceOf(camera, zoom, aspect) * Math.tan((camera.fov * Math.PI) / 360);
}

/**
 * The matrix from points, relative to `middle` in mesh coordinates, to the screen: −1 to 1 from left to right and
 * from bottom to top.
 */
export function matrixOf(
  frame: Frame,
  middle: Vector,
  pose: Pose,
  camera: Camera,
  aspect: number,
): Float32Array {
  const { right, up, back } = basisOf(pose);
  const scale = 1 / frame.radius;
  const off = camera.orthographic ? 4 : distanceOf(camera, pose.zoom, aspect);
  // The middle of the mesh relative to the camera, in radii.
  const from: Vector = [
    (middle[0] - frame.center[0]) * scale,
    (middle[1] - frame.center[1]) * scale,
    (middle[2] - frame.center[2]) * scale,
  ];
  const seen = [dot(right, from) + pose.x, dot(up, from) + pose.y, dot(back, from) - off];
  const project = camera.orthographic
    ? flat(reachOf(camera, pose.zoom, aspect), aspect)
    : deep(camera, off, aspect);
  const view = [right, up, back].map((axis) => axis.map((each) => each * scale));
  const out = new Float32Array(16);
  for (let column = 0; column < 4; column += 1) {
    for (let row = 0; row < 4; row += 1) {
      let sum = 0;
      for (let at = 0; at < 3; at += 1) {
        sum += project[at * 4 + row]! * (column < 3 ? view[at]![column]! : seen[at]!);
      }
      out[column * 4 + row] = column < 3 ? sum : sum + project[12 + row]!;
    }
  }
  return out;
}

/** The position of a point on a picture of this size in px; `depth` increases away from the camera; null behind it. */
export function project(
  matrix: Float32Array,
  [x, y, z]: Vector,
  width: number,
  height: number,
): { x: number; y: number; depth: number } | null {
  const row = (at: number) => matrix[at]! * x + matrix[at + 4]! * y + matrix[at + 8]! * z + matrix[at + 12]!;
  const w = row(3);
  if (w <= 0) return null;
  return { x: ((row(0) / w + 1) / 2) * width, y: ((1 - row(1) / w) / 2) * height, depth: row(2) / w };
}

/** The pose after dragging by this many px. */
export function turnPose(pose: Pose, dx: number, dy: number): Pose {
  return clampPose({ ...pose, yaw: pose.yaw - dx * TURN_PER_PX, pitch: pose.pitch + dy * TURN_PER_PX });
}

/** The pose after moving, so that what is under the pointer stays there; `heightPx` is the height of the picture. */
export function movePose(
  pose: Pose,
  dx: number,
  dy: number,
  camera: Camera,
  aspect: number,
  heightPx: number,
): Pose {
  const perPx = (2 * reachOf(camera, pose.zoom, aspect)) / heightPx;
  return clampPose({ ...pose, x: pose.x + dx * perPx, y: pose.y - dy * perPx });
}

export function zoomPose(pose: Pose, factor: number): Pose {
  return clampPose({ ...pose, zoom: pose.zoom * factor });
}

function dot(one: Vector, other: Vector): number {
  return one[0] * other[0] + one[1] * other[1] + one[2] * other[2];
}

function deep({ fov }: Camera, off: number, aspect: number): number[] {
  const f = 1 / Math.tan((fov * Math.PI) / 360);
  const near = Math.max(NEAREST * Math.min(1, off), off - 20);
  const far = off + 50;
  const depth = near - far;
  return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / depth, -1, 0, 0, (2 * far * near) / depth, 0];
}

function flat(reach: number, aspect: number): number[] {
  const far = 60;
  return [1 / (reach * aspect), 0, 0, 0, 0, 1 / reach, 0, 0, 0, 0, -2 / (2 * far), 0, 0, 0, 0, 1];
}
