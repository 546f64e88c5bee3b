/** Camera gestures: drag to turn, modified drag to move, wheel or pinch to zoom, keys for all of them. */

import { DEFAULT_POSE, type Pose } from "../view/mesh-view";
import { type Camera, movePose, turnPose, zoomPose } from "./camera";

const TURN_KEY_PX = 12;
const MOVE_KEY_PX = 24;
const ZOOM_KEY = 1.2;
const ZOOM_PER_PX = 0.002;

/** What a gesture needs to know about the picture. */
export interface ViewGeometry {
  camera: Camera;
  aspect: number;
  heightPx: number;
}

/** The pose after a key; null if the key has no meaning. */
export function poseAfterKey(pose: Pose, key: string, aside: boolean, ground: ViewGeometry): Pose | null {
  const arrows: Readonly<Record<string, readonly [number, number]>> = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1],
  };
  const arrow = arrows[key];
  if (arrow)
    return aside
      ? shifted(pose, arrow, ground)
      : turnPose(pose, arrow[0] * TURN_KEY_PX, arrow[1] * TURN_KEY_PX);
  if (key === "+" || key === "=") return zoomPose(pose, ZOOM_KEY);
  if (key === "-" || key === "_") return zoomPose(pose, 1 / ZOOM_KEY);
  if (key === "0") return DEFAULT_POSE;
  return null;
}

function shifted(
  pose: Pose,
  [x, y]: readonly [number, number],
  { camera, aspect, heightPx }: ViewGeometry,
): Pose {
  return movePose(pose, x * MOVE_KEY_PX, y * MOVE_KEY_PX, camera, aspect, heightPx);
}

export function poseAfterWheel(pose: Pose, delta: number): Pose {
  return zoomPose(pose, Math.exp(-Math.max(-300, Math.min(300, delta)) * ZOOM_PER_PX));
}

interface Finger {
  x: number;
  y: number;
}

/** The active pointers of a view. */
export class PointerGestures {
  readonly #fingers = new Map<number, Finger>();
  #aside = false;

  get busy(): boolean {
    return this.#fingers.size > 0;
  }

  down(id: number, at: Finger, aside: boolean): void {
    this.#fingers.set(id, at);
    this.#aside = aside;
  }

  up(id: number): void {
    this.#fingers.delete(id);
  }

  /** The pose after a pointer moved; null if it was not down. */
  move(id: number, at: Finger, pose: Pose, { camera, aspect, heightPx }: ViewGeometry): Pose | null {
    const before = this.#fingers.get(id);
    if (!before) return null;
    const other = [...this.#fingers].find(([each]) => each !== id)?.[1];
    this.#fingers.set(id, at);
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    if (!other)
      return this.#aside ? movePose(pose, dx, dy, camera, aspect, heightPx) : turnPose(pose, dx, dy);
    // Two fingers: their middle moves by half, and the scene grows as they move apart.
    const apart = (finger: Finger) => Math.max(10, Math.hypot(finger.x - other.x, finger.y - other.y));
    return zoomPose(movePose(pose, dx / 2, dy / 2, camera, aspect, heightPx), apart(at) / apart(before));
  }
}
