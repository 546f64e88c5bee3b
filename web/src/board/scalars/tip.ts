/**
 * The tooltip with the values of runs at a position. One per page, created without React, as it follows the pointer
 * within the frame. At a pinned step it is kept: it stays until the pointer turns away, so that its rows can be
 * reached, scrolled and copied, also by touch.
 */

import { say } from "../../i18n/words";
import { useInteraction } from "../view/interaction";
import { useView } from "../view/view";
import { createElement, setText } from "./dom";
import style from "./tip.module.css";
import { distanceTo, type Point, positionTip } from "./tip-position";
import { type TipRow, TipTable } from "./tip-table";

export interface TipContent {
  head: string;
  /** The common part of all names, shown once; empty for none. */
  shared: string;
  rows: readonly TipRow[];
  /** The row that differences are relative to. */
  lead: TipRow | null;
  /** Significant digits of values that are not whole. */
  digits: number;
}

const ROW_PX = 18;
/** Maximum number of rows of a kept tooltip, which scrolls; more are for the table of the full screen view. */
const KEPT_ROWS = 200;
/** The pointer has turned away once it is further from a kept tooltip than its nearest point, by more than a tremor. */
const TURN_PX = 32;
/** Keys used for copying, alone or as modifiers, which do not close a kept tooltip. */
const QUIET_KEYS = new Set(["Shift", "Control", "Meta", "Alt"]);

/** On a touch screen there is no Shift key. */
const TOUCHED = matchMedia("(hover: none)");

export class Tip {
  readonly #box = createElement("div", style.tip);
  readonly #head = createElement("div", style.head);
  readonly #shared = createElement("bdi", style.shared);
  readonly #table = new TipTable();
  readonly #foot = createElement("div", style.foot);
  #content: TipContent | null = null;
  #at: Point = { x: 0, y: 0 };
  #card: HTMLElement | null = null;
  #all = false;
  /** The smallest distance of the pointer while the tooltip is kept; null while it follows. */
  #nearest: number | null = null;

  constructor() {
    this.#box.dataset.testid = "tip";
    this.#box.setAttribute("role", "tooltip");
    this.#box.append(this.#head, this.#shared, this.#table.element, this.#foot);
    document.body.append(this.#box);
    const shift = (event: KeyboardEvent) => {
      if (event.key !== "Shift") return;
      this.#setAll(event.type === "keydown");
      // Shift+click selects a range: let it reach the chart under a kept tooltip.
      this.#box.toggleAttribute("data-through", event.type === "keydown");
    };
    addEventListener("keydown", shift);
    addEventListener("keyup", shift);
    // A menu, another window or a scrolled page moves the content away under the tooltip. The run table is ignored:
    // it scrolls by itself to the row of the hovered run.
    addEventListener("blur", () => this.hide());
    addEventListener("resize", () => this.drop());
    addEventListener("scroll", (event) => this.#scrolled(event), { capture: true, passive: true });
    addEventListener("pointerdown", ({ target }) => !this.#box.contains(target as Node) && this.drop(), {
      capture: true,
    });
    addEventListener("pointermove", (event) => this.#turned(event), { capture: true, passive: true });
    addEventListener("keydown", (event) => this.#typed(event), { capture: true });
  }

  /** `card`: the element under the pointer, which should not be covered. */
  show(content: TipContent, at: Point, card: HTMLElement): void {
    if (this.#nearest !== null) return;
    this.#content = content;
    this.#card = card;
    this.#at = at;
    this.#draw();
  }

  /** Keeps it until the pointer turns away. */
  keep(content: TipContent, at: Point, card: HTMLElement): void {
    this.drop();
    this.show(content, at, card);
    this.#nearest = Number.POSITIVE_INFINITY;
    this.#box.dataset.kept = "";
    // Scrollable content must be reachable with keys.
    this.#box.tabIndex = 0;
    this.#draw();
  }

  /** Updates the content, unless the tooltip is kept. */
  retell(content: TipContent, card: HTMLElement): void {
    if (this.#nearest === null || this.#card !== card) return;
    this.#content = content;
    this.#write();
  }

  /** Hides it when the pointer leaves, unless it is kept. */
  hide(): void {
    if (this.#nearest === null) this.drop();
  }

  /** Hides it because its card is gone. */
  forget(card: HTMLElement): void {
    if (this.#card === card) this.drop();
  }

  drop(): void {
    if (this.#content === null) return;
    this.#content = null;
    this.#nearest = null;
    delete this.#box.dataset.shown;
    delete this.#box.dataset.kept;
    this.#box.removeAttribute("tabindex");
    this.#table.show([], null, 0);
  }

  #scrolled({ target }: Event): void {
    if (target instanceof Node && target.contains(this.#card)) this.drop();
  }

  #turned({ clientX, clientY, pointerType }: PointerEvent): void {
    if (this.#nearest === null || pointerType === "touch") return;
    const apart = distanceTo(this.#box.getBoundingClientRect(), { x: clientX, y: clientY });
    if (apart > this.#nearest + TURN_PX) this.drop();
    else this.#nearest = Math.min(this.#nearest, apart);
  }

  #typed({ key, ctrlKey, metaKey, target }: KeyboardEvent): void {
    const within = this.#box.contains(target as Node) && key !== "Escape";
    if (this.#nearest !== null && !within && !ctrlKey && !metaKey && !QUIET_KEYS.has(key)) this.drop();
  }

  #setAll(all: boolean): void {
    this.#all = all;
    if (this.#content) this.#draw();
  }

  #draw(): void {
    this.#write();
    this.#place();
  }

  #write(): void {
    const { head, shared, rows, lead, digits } = this.#content!;
    const room = Math.floor((innerHeight - 96) / ROW_PX);
    const rowLimit = useView.getState().tipRows;
    const followed = this.#all || rowLimit === 0 ? room : Math.min(rowLimit, room);
    const isKept = this.#nearest !== null;
    const shown = rows.slice(0, isKept ? KEPT_ROWS : followed);
    const rest = rows.length - shown.length;
    setText(this.#head, head);
    this.#shared.hidden = shared === "";
    setText(this.#shared, shared);
    this.#table.show(shown, lead, digits);
    this.#foot.hidden = rest === 0;
    if (rest > 0)
      setText(
        this.#foot,
        say(this.#all || isKept || TOUCHED.matches ? "tip.more" : "tip.moreShift", { count: rest }),
      );
    this.#box.dataset.shown = "";
  }

  #place(): void {
    const { offsetWidth: width, offsetHeight: height } = this.#box;
    const { x, y } = positionTip({ width, height }, this.#at, this.#card?.getBoundingClientRect() ?? null, {
      width: innerWidth,
      height: innerHeight,
    });
    this.#box.style.transform = `translate(${x}px, ${y}px)`;
  }
}

let shared: Tip | null = null;

/** The tooltip of the page. */
export function tip(): Tip {
  if (shared === null) {
    const instance = new Tip();
    // Hide it without a cursor: on Esc, when a card scrolls away, on another page.
    useInteraction.subscribe(({ cursor }) => cursor === null && instance.hide());
    shared = instance;
  }
  return shared;
}
