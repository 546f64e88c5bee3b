/** What hands do to a camera: drag to turn, drag aside to move, wheel or pinch to come nearer, keys for all of it. */

import { DEFAULT_POSE, type Pose } from "../../state/meshview";
import { type Lens, moved, turned, zoomed } from "./lens";

const TURN_KEY_PX = 12;
const MOVE_KEY_PX = 24;
const ZOOM_KEY = 1.2;
const ZOOM_PER_PX = 0.002;

/** What a gesture must know of the picture it is made on. */
export interface Ground {
  lens: Lens;
  aspect: number;
  heightPx: number;
}

/** The camera after a key; null where the key means nothing here. */
export function keyed(pose: Pose, key: string, aside: boolean, ground: Ground): Pose | null {
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
      : turned(pose, arrow[0] * TURN_KEY_PX, arrow[1] * TURN_KEY_PX);
  if (key === "+" || key === "=") return zoomed(pose, ZOOM_KEY);
  if (key === "-" || key === "_") return zoomed(pose, 1 / ZOOM_KEY);
  if (key === "0") return DEFAULT_POSE;
  return null;
}

function shifted(pose: Pose, [x, y]: readonly [number, number], { lens, aspect, heightPx }: Ground): Pose {
  return moved(pose, x * MOVE_KEY_PX, y * MOVE_KEY_PX, lens, aspect, heightPx);
}

export function wheeled(pose: Pose, delta: number): Pose {
  return zoomed(pose, Math.exp(-Math.max(-300, Math.min(300, delta)) * ZOOM_PER_PX));
}

interface Finger {
  x: number;
  y: number;
}

/** The fingers and buttons on one view. */
export class Hand {
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

  /** The camera after one finger or the pointer has moved; null where it was not down. */
  move(id: number, at: Finger, pose: Pose, { lens, aspect, heightPx }: Ground): Pose | null {
    const before = this.#fingers.get(id);
    if (!before) return null;
    const other = [...this.#fingers].find(([each]) => each !== id)?.[1];
    this.#fingers.set(id, at);
    const [dx, dy] = [at.x - before.x, at.y - before.y];
    if (!other) return this.#aside ? moved(pose, dx, dy, lens, aspect, heightPx) : turned(pose, dx, dy);
    // Two fingers: what lies between them moves by half of it, and grows as they part.
    const apart = (finger: Finger) => Math.max(10, Math.hypot(finger.x - other.x, finger.y - other.y));
    return zoomed(moved(pose, dx / 2, dy / 2, lens, aspect, heightPx), apart(at) / apart(before));
  }
}
