/**
 * Interprets pointer and wheel input over the points: a drag moves or rotates, with Shift or a tool it draws a line
 * around points, a click selects one, two fingers zoom. Given pixels; knows no element.
 */

import type { PointerPosition } from "./pointer-position";

export interface PointerPress extends PointerPosition {
  /** 0 main, 1 middle, 2 right. */
  button: number;
  /** Shift is held: selects, or adds to the selection. */
  extend: boolean;
  kind: "mouse" | "touch";
}

/** What a drag without modifiers does. */
export type Tool = "move" | "lasso" | "box";

export interface GestureEvents {
  hover(at: PointerPosition | null): void;
  /** Moved since the last call. `other` swaps moving and rotating. */
  drag(dx: number, dy: number, other: boolean): void;
  /** Show `factor` times as much around a position. */
  zoom(factor: number, x: number, y: number): void;
  /** The line so far as x, y pairs; null if cancelled. */
  line(points: readonly number[] | null): void;
  enclose(points: readonly number[], extend: boolean): void;
  click(at: PointerPosition, extend: boolean): void;
}

const DRAG_START = 4;
const LINE_STEP = 3;
const WHEEL = 0.0018;
const WHEEL_MOST = 240;
const SMALLEST_SPREAD = 16;

type State =
  | { kind: "idle" }
  | { kind: "pressed"; press: PointerPress }
  | { kind: "drag"; press: PointerPress; last: PointerPosition }
  | { kind: "line"; press: PointerPress; points: number[] }
  | { kind: "pinch"; x: number; y: number; spread: number };

export class Gestures {
  tool: Tool = "move";
  #state: State = { kind: "idle" };
  readonly #touches = new Map<number, PointerPosition>();

  constructor(private readonly out: GestureEvents) {}

  get busy(): boolean {
    return this.#state.kind !== "idle";
  }

  down(press: PointerPress): void {
    if (press.kind === "touch") this.#touches.set(press.id, press);
    if (this.#touches.size === 2) {
      if (this.#state.kind === "line") this.out.line(null);
      this.#state = { kind: "pinch", ...this.#pair() };
      this.out.hover(null);
    } else if (this.#state.kind === "idle") this.#state = { kind: "pressed", press };
  }

  move(at: PointerPosition): void {
    if (this.#touches.has(at.id)) this.#touches.set(at.id, at);
    const state = this.#state;
    if (state.kind === "idle") this.out.hover(at);
    else if (state.kind === "pinch") this.#pinch(state);
    else if (at.id !== state.press.id) return;
    else if (state.kind === "pressed") this.#start(state.press, at);
    else if (state.kind === "drag") this.#drag(state, at);
    else this.#draw(state, at);
  }

  up(at: PointerPosition): void {
    const state = this.#state;
    this.#touches.delete(at.id);
    if (state.kind === "pinch" && this.#touches.size > 0) return;
    this.#state = { kind: "idle" };
    if (state.kind === "pressed" && state.press.button === 0) this.out.click(at, state.press.extend);
    else if (state.kind === "line") {
      this.out.line(null);
      this.out.enclose(state.points, state.press.extend);
    }
  }

  /** Cancels: Escape, or a lost pointer. */
  cancel(): void {
    if (this.#state.kind === "line") this.out.line(null);
    this.#state = { kind: "idle" };
    this.#touches.clear();
    this.out.hover(null);
  }

  leave(): void {
    if (!this.busy) this.out.hover(null);
  }

  /** `delta` in pixels. */
  wheel(x: number, y: number, delta: number): void {
    this.out.zoom(Math.exp(Math.max(-WHEEL_MOST, Math.min(WHEEL_MOST, delta)) * WHEEL), x, y);
  }

  #start(press: PointerPress, at: PointerPosition): void {
    if (Math.hypot(at.x - press.x, at.y - press.y) < DRAG_START) return;
    this.out.hover(null);
    const selects = press.button === 0 && (press.extend || this.tool !== "move");
    if (selects) {
      const state = { kind: "line" as const, press, points: [press.x, press.y] };
      this.#state = state;
      this.#draw(state, at);
    } else {
      const state = { kind: "drag" as const, press, last: press };
      this.#state = state;
      this.#drag(state, at);
    }
  }

  #drag(state: State & { kind: "drag" }, at: PointerPosition): void {
    this.out.drag(at.x - state.last.x, at.y - state.last.y, state.press.button !== 0);
    state.last = at;
  }

  #draw(state: State & { kind: "line" }, at: PointerPosition): void {
    const { press, points } = state;
    if (this.tool === "box") {
      state.points = [press.x, press.y, at.x, press.y, at.x, at.y, press.x, at.y];
    } else if (Math.hypot(at.x - points.at(-2)!, at.y - points.at(-1)!) >= LINE_STEP) points.push(at.x, at.y);
    this.out.line(state.points);
  }

  /** Two fingers move the picture, and zoom in as they move apart. */
  #pinch(state: State & { kind: "pinch" }): void {
    const pair = this.#pair();
    this.out.drag(pair.x - state.x, pair.y - state.y, true);
    this.out.zoom(state.spread / pair.spread, pair.x, pair.y);
    Object.assign(state, pair);
  }

  #pair(): { x: number; y: number; spread: number } {
    const [a, b] = [...this.#touches.values()] as [PointerPosition, PointerPosition];
    const spread = Math.max(SMALLEST_SPREAD, Math.hypot(a.x - b.x, a.y - b.y));
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread };
  }
}
