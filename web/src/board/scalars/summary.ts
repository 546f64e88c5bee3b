/**
 * The summary beside a card's title: default, one run's value, the step of the cursor, values at the pinned step, or
 * a range.
 */

import { say } from "../../i18n/words";
import { formatStep, formatValue, withMinus } from "../../lib/number";
import { swatchClass } from "../../ui/swatch";
import { createElement, setText } from "./dom";
import type { LineStroke } from "./series-builder";
import { changeOf, type RangeStatistics } from "./statistics";
import style from "./summary.module.css";

/** A highlighted run and its value. */
export interface FrontValue extends LineStroke {
  value: number;
}

/** The value of a run at the pinned step. */
export interface PinnedValue extends FrontValue {
  /** The run has no point there: this is the nearest. */
  near: boolean;
}

export interface FrontRange extends LineStroke {
  statistics: RangeStatistics;
}

/** Updated within the frame on every card at once: its elements stay, only their texts change. */
export class Summary {
  readonly #line: HTMLElement;
  readonly #card: HTMLElement;
  readonly #swatch = createElement("span");
  readonly #value = createElement("b");
  readonly #otherSwatch = createElement("span");
  readonly #otherValue = createElement("b");
  readonly #to = createElement("span");
  readonly #ends = createElement("span", style.ends);
  readonly #runs = createElement("span");
  readonly #last = createElement("span", style.last);
  readonly #step = createElement("span");
  readonly #time = createElement("span");
  readonly #range = createElement("span");

  /** `card` gets an attribute while the summary shows a position, for its style. */
  constructor(line: HTMLElement, card: HTMLElement) {
    this.#line = line;
    this.#card = card;
    this.#to.textContent = "–";
    this.#ends.dataset.testid = "pinned-values";
    this.#step.dataset.testid = "cursor-step";
    this.#time.dataset.testid = "cursor-time";
    this.#range.dataset.testid = "range-summary";
  }

  /** "10 runs · step 9 990"; nothing without points. `lastStep` null: the axis is a time. */
  rest(runs: number, lastStep: number | null): void {
    setText(this.#runs, say("card.runs", { runs }));
    if (lastStep !== null) setText(this.#last, ` · ${say("tip.step", { step: formatStep(lastStep) })}`);
    this.#show(runs === 0 ? [] : lastStep === null ? [this.#runs] : [this.#runs, this.#last]);
  }

  /** "● 0.4123", the last value of a run. */
  value(front: FrontValue | null): void {
    this.#show(front ? this.#valueParts(front) : []);
    if (!front) setText(this.#line, "");
  }

  /** "● 0.4123 +12 m 5 s": on a time axis each run is at a step of its own. */
  time(at: string, front: FrontValue | null): void {
    setText(this.#time, at);
    this.#show([...(front ? this.#valueParts(front) : []), this.#time]);
  }

  /** "● 0.4123 step 5 250". */
  cursor(step: number, front: FrontValue | null): void {
    this.#tellStep(step);
    this.#show([...(front ? this.#valueParts(front) : []), this.#step]);
  }

  /**
   * "● 0.4123 – ● 0.4711 step 5 250": the minimum and maximum, or a single value; one that all runs share has no
   * colour.
   */
  pinned(step: number, least: PinnedValue | null, greatest: PinnedValue | null): void {
    this.#tellStep(step);
    const parts: HTMLElement[] = [];
    const agreed = greatest !== null && Object.is(greatest.value, least?.value);
    if (least && !agreed) parts.push(styled(this.#swatch, least));
    if (least) parts.push(withExactValue(this.#value, least));
    if (greatest && !agreed)
      parts.push(this.#to, styled(this.#otherSwatch, greatest), withExactValue(this.#otherValue, greatest));
    place(this.#ends, parts);
    this.#show([this.#ends, this.#step]);
  }

  /** "● Δ −0.41 (−12 %)" for the highlighted run, otherwise the steps of the range. */
  range([from, to]: readonly [number, number], front: FrontRange | null): void {
    this.#range.dataset.from = String(from);
    this.#range.dataset.to = String(to);
    const steps = { from: formatStep(from), to: formatStep(to) };
    setText(this.#range, front ? changeText(front.statistics) : say("range.steps", steps));
    this.#show([...(front ? [styled(this.#swatch, front)] : []), this.#range]);
  }

  #tellStep(step: number): void {
    this.#step.dataset.step = String(step);
    setText(this.#step, say("tip.step", { step: formatStep(step) }));
  }

  #show(parts: readonly HTMLElement[]): void {
    this.#card.toggleAttribute("data-at-step", parts.includes(this.#step) || parts.includes(this.#time));
    if (parts.length > 0 || this.#line.children.length > 0) place(this.#line, parts);
  }

  #valueParts(front: FrontValue): HTMLElement[] {
    return [styled(this.#swatch, front), withExactValue(this.#value, { ...front, near: false })];
  }
}

/** Moves only elements that are out of place. */
function place(line: HTMLElement, parts: readonly HTMLElement[]): void {
  const { children } = line;
  if (parts.length !== children.length || parts.some((part, at) => part !== children[at]))
    line.replaceChildren(...parts);
}

function styled(swatch: HTMLElement, { color, dash }: LineStroke): HTMLElement {
  swatch.className = swatchClass(dash);
  swatch.style.backgroundColor = color;
  return swatch;
}

/** Adds the exact number, for scripts. */
function withExactValue(part: HTMLElement, { value, near }: PinnedValue): HTMLElement {
  part.dataset.value = String(value);
  setText(part, `${near ? "≈ " : ""}${formatValue(value, 4)}`);
  return part;
}

/** "Δ −0.41 (−12 %)"; in downsampled series "≈" means that the ends are the nearest drawn points. */
export function changeText(statistics: RangeStatistics): string {
  const { by, part } = changeOf(statistics);
  const percent = Number.isFinite(part) ? ` (${percentText(part)})` : "";
  return `${statistics.estimates.length > 0 ? "≈ " : ""}Δ ${formatValue(by, 3)}${percent}`;
}

/** "+12 %", "−0.4 %". */
export function percentText(part: number): string {
  const size = Math.abs(part * 100);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return `${part > 0 ? "+" : ""}${withMinus((part * 100).toFixed(digits))}\u2009%`;
}
