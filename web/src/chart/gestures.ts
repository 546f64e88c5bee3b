/**
 * Interprets pointer, wheel and touch input. Knows no chart and no element: it is given positions in pixels and calls
 * back. `pointers.ts` connects it to an element.
 */

import type { Place, PointerPosition } from "../lib/pointer-position";
import type { Box } from "./picture";

export interface PointerPress extends PointerPosition {
  /** 0 main, 1 middle. */
  button: number;
  /** Shift or Alt is held: the drag moves the picture. */
  grab: boolean;
  /** Shift is held: a click asks for a range. */
  extend: boolean;
  kind: "mouse" | "touch";
}

export interface GestureEvents {
  /** The pointer moved; null when it left. */
  hover(at: PointerPosition | null): void;
  /** The box being dragged; null if cancelled. */
  box(box: Box | null): void;
  /** A box was selected; `band` if it only selects x. */
  select(box: Box, band: boolean): void;
  /** Pixels moved since the press. */
  pan(dx: number, dy: number, done: boolean): void;
  /**
   * Show `factor` times as much around a position; below 1 zooms in. `sincePress` if relative to the press, as for a
   * pinch.
   */
  zoom(factor: number, at: Place, done: boolean, sincePress: boolean): void;
  click(at: PointerPosition, extend: boolean): void;
  /** Whether there is a handle at this position; if so, `drag` reports its movement. */
  grabHandle(at: PointerPress): boolean;
  drag(at: PointerPosition, done: boolean): void;
  back(): void;
  /** The wheel was turned without Alt over a chart where the pointer rests. */
  hint(): void;
}

export interface Timer {
  now(): number;
  /** Calls back after `ms`; returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** A drag lower than this selects a range of x. */
export const BAND_HEIGHT = 12;
const DRAG_START = 4;
const SMALLEST_BOX = 5;
const DOUBLE_CLICK_MS = 250;
const WHEEL_REST_MS = 250;
const HINT_REST_MS = 500;

type State =
  | { kind: "idle" }
  | { kind: "pressed"; from: PointerPress }
  | { kind: "box"; from: PointerPress }
  | { kind: "pan"; from: PointerPress; moved: boolean }
  | { kind: "taken"; from: PointerPress }
  | { kind: "touch"; from: PointerPress; moved: boolean }
  | { kind: "pinch"; a: PointerPosition; b: PointerPosition; factor: number };

export class Gestures {
  #state: State = { kind: "idle" };
  #touches = new Map<number, PointerPosition>();
  #cancelClick: (() => void) | null = null;
  #cancelWheel: (() => void) | null = null;
  #enteredAt = Number.POSITIVE_INFINITY;

  constructor(
    private readonly out: GestureEvents,
    private readonly timer: Timer,
  ) {}

  /** A drag is in progress, so the element should capture the pointer. */
  get busy(): boolean {
    return this.#state.kind !== "idle";
  }

  down(press: PointerPress): void {
    if (this.#touches.size === 0 && press.button === 0 && this.out.grabHandle(press)) {
      this.#state = { kind: "taken", from: press };
      this.out.hover(null);
    } else if (press.kind === "touch") this.#touchDown(press);
    else if (press.button === 1 || (press.button === 0 && press.grab))
      this.#state = { kind: "pan", from: press, moved: false };
    else if (press.button === 0) this.#state = { kind: "pressed", from: press };
  }

  move(at: PointerPosition): void {
    if (this.#enteredAt === Number.POSITIVE_INFINITY) this.#enteredAt = this.timer.now();
    if (this.#touches.has(at.id)) this.#touches.set(at.id, at);
    const state = this.#state;
    if (state.kind === "pressed" && apart(state.from, at) >= DRAG_START) {
      this.#state = { kind: "box", from: state.from };
      this.out.hover(null);
    }
    this.#follow(at);
  }

  #follow(at: PointerPosition): void {
    const state = this.#state;
    if (state.kind === "box") this.out.box(boxOf(state.from, at));
    else if (state.kind === "taken") this.out.drag(at, false);
    else if (state.kind === "pan") this.#pan(state, at, false);
    else if (state.kind === "pinch") this.#pinch(state, false);
    else {
      if (state.kind === "touch" && apart(state.from, at) >= DRAG_START) state.moved = true;
      this.out.hover(at);
    }
  }

  up(at: PointerPosition): void {
    const state = this.#state;
    this.#touches.delete(at.id);
    this.#state = { kind: "idle" };
    if (state.kind === "pressed") this.#click(at, false);
    else if (state.kind === "box") this.#choose(boxOf(state.from, at));
    else if (state.kind === "taken") this.out.drag(at, true);
    else if (state.kind === "pan") this.#pan(state, at, true);
    else if (state.kind === "pinch") this.#pinch(state, true);
    else if (state.kind === "touch") {
      if (!state.moved) this.#click(at, false);
      this.out.hover(null);
    }
  }

  /** Cancels the gesture: Escape, a lost pointer, or the page using the touch to scroll. */
  cancel(): void {
    const state = this.#state;
    this.#state = { kind: "idle" };
    this.#touches.clear();
    if (state.kind === "box") this.out.box(null);
    else if (state.kind === "pan") this.out.pan(0, 0, true);
    else if (state.kind === "taken") this.out.drag(state.from, true);
    this.out.hover(null);
  }

  leave(): void {
    this.#enteredAt = Number.POSITIVE_INFINITY;
    if (!this.busy) this.out.hover(null);
  }

  doubleClick(): void {
    this.#cancelClick?.();
    this.#cancelClick = null;
    this.out.back();
  }

  /** Returns true if the wheel was handled and the page should not scroll. `delta` is in pixels. */
  wheel(at: Place, delta: number, alt: boolean): boolean {
    if (!alt) {
      if (this.timer.now() - this.#enteredAt >= HINT_REST_MS) this.out.hint();
      return false;
    }
    const factor = Math.exp(Math.max(-240, Math.min(240, delta)) * 0.0025);
    this.out.zoom(factor, at, false, false);
    this.#cancelWheel?.();
    this.#cancelWheel = this.timer.after(WHEEL_REST_MS, () => this.out.zoom(1, at, true, false));
    return true;
  }

  destroy(): void {
    this.#cancelClick?.();
    this.#cancelWheel?.();
  }

  #touchDown(press: PointerPress): void {
    this.#touches.set(press.id, press);
    const [a, b] = [...this.#touches.values()];
    if (a !== undefined && b !== undefined) {
      this.#state = { kind: "pinch", a, b, factor: 1 };
      this.out.hover(null);
    } else {
      this.#state = { kind: "touch", from: press, moved: false };
      this.out.hover(press);
    }
  }

  /** A press with Shift that does not move is a click that extends the range. */
  #pan(state: State & { kind: "pan" }, at: PointerPosition, done: boolean): void {
    state.moved ||= apart(state.from, at) >= DRAG_START;
    if (state.moved) this.out.pan(at.x - state.from.x, at.y - state.from.y, done);
    else if (done && state.from.extend) this.#click(at, true);
  }

  /** Moving fingers apart zooms in, together zooms out, relative to where they touched down. */
  #pinch(state: State & { kind: "pinch" }, done: boolean): void {
    const { a, b } = state;
    if (!done) {
      const [a2, b2] = [this.#touches.get(a.id) ?? a, this.#touches.get(b.id) ?? b];
      state.factor = spreadOf(a, b) / spreadOf(a2, b2);
    }
    this.out.zoom(state.factor, { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, done, true);
  }

  #choose(box: Box): void {
    const band = Math.abs(box.bottom - box.top) <= BAND_HEIGHT;
    if (Math.abs(box.right - box.left) < SMALLEST_BOX) this.out.box(null);
    else this.out.select(box, band);
  }

  /** A click pins, unless it turns out to be the first half of a double click. */
  #click(at: PointerPosition, extend: boolean): void {
    this.#cancelClick?.();
    this.#cancelClick = this.timer.after(DOUBLE_CLICK_MS, () => {
      this.#cancelClick = null;
      this.out.click(at, extend);
    });
  }
}

function apart(a: PointerPosition, b: PointerPosition): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function spreadOf(a: PointerPosition, b: PointerPosition): number {
  return Math.max(16, apart(a, b));
}

function boxOf(from: PointerPosition, to: PointerPosition): Box {
  return { left: from.x, top: from.y, right: to.x, bottom: to.y };
}
