/**
 * Pointers and wheel over the points, and what they mean: a drag moves or turns the picture, with Shift or a tool for it
 * draws a line around points, a click means one, two fingers come closer. Told of pixels; knows no element.
 */

export interface Touch {
  id: number;
  x: number;
  y: number;
}

export interface Press extends Touch {
  /** 0 main, 1 middle, 2 right. */
  button: number;
  /** Shift is held: selects, and adds to what is selected. */
  extend: boolean;
  kind: "mouse" | "touch";
}

/** What a plain drag does. */
export type Tool = "move" | "lasso" | "box";

export interface GestureEvents {
  hover(at: Touch | null): void;
  /** Moved since the last call. `other` asks for the other of moving and turning. */
  drag(dx: number, dy: number, other: boolean): void;
  /** `factor` times as much in sight around a place. */
  zoom(factor: number, x: number, y: number): void;
  /** The line so far as x, y pairs; null when given up. */
  line(points: readonly number[] | null): void;
  enclose(points: readonly number[], extend: boolean): void;
  click(at: Touch, extend: boolean): void;
}

const DRAG_START = 4;
const LINE_STEP = 3;
const WHEEL = 0.0018;
const WHEEL_MOST = 240;
const SMALLEST_SPREAD = 16;

type State =
  | { kind: "idle" }
  | { kind: "pressed"; press: Press }
  | { kind: "drag"; press: Press; last: Touch }
  | { kind: "line"; press: Press; points: number[] }
  | { kind: "pinch"; x: number; y: number; spread: number };

export class Gestures {
  tool: Tool = "move";
  #state: State = { kind: "idle" };
  readonly #touches = new Map<number, Touch>();

  constructor(private readonly out: GestureEvents) {}

  get busy(): boolean {
    return this.#state.kind !== "idle";
  }

  down(press: Press): void {
    if (press.kind === "touch") this.#touches.set(press.id, press);
    if (this.#touches.size === 2) {
      if (this.#state.kind === "line") this.out.line(null);
      this.#state = { kind: "pinch", ...this.#pair() };
      this.out.hover(null);
    } else if (this.#state.kind === "idle") this.#state = { kind: "pressed", press };
  }

  move(at: Touch): void {
    if (this.#touches.has(at.id)) this.#touches.set(at.id, at);
    const state = this.#state;
    if (state.kind === "idle") this.out.hover(at);
    else if (state.kind === "pinch") this.#pinch(state);
    else if (at.id !== state.press.id) return;
    else if (state.kind === "pressed") this.#start(state.press, at);
    else if (state.kind === "drag") this.#drag(state, at);
    else this.#draw(state, at);
  }

  up(at: Touch): void {
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

  /** Escape, or a pointer that was lost. */
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

  #start(press: Press, at: Touch): void {
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

  #drag(state: State & { kind: "drag" }, at: Touch): void {
    this.out.drag(at.x - state.last.x, at.y - state.last.y, state.press.button !== 0);
    state.last = at;
  }

  #draw(state: State & { kind: "line" }, at: Touch): void {
    const { press, points } = state;
    if (this.tool === "box") {
      state.points = [press.x, press.y, at.x, press.y, at.x, at.y, press.x, at.y];
    } else if (Math.hypot(at.x - points.at(-2)!, at.y - points.at(-1)!) >= LINE_STEP) points.push(at.x, at.y);
    this.out.line(state.points);
  }

  /** Two fingers move what is between them along, and apart show less. */
  #pinch(state: State & { kind: "pinch" }): void {
    const pair = this.#pair();
    this.out.drag(pair.x - state.x, pair.y - state.y, true);
    this.out.zoom(state.spread / pair.spread, pair.x, pair.y);
    Object.assign(state, pair);
  }

  #pair(): { x: number; y: number; spread: number } {
    const [a, b] = [...this.#touches.values()] as [Touch, Touch];
    const spread = Math.max(SMALLEST_SPREAD, Math.hypot(a.x - b.x, a.y - b.y));
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, spread };
  }
}
