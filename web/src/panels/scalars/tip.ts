/**
 * The tip beside the pointer: what the runs are at one place. One for the page, made by hand, as it follows the
 * pointer within the frame. At a pinned step it is kept: it stands still until the pointer turns away from it, so that
 * its rows can be reached, scrolled and copied, by a finger too.
 */

import { useScene } from "../../state/scene";
import { useView } from "../../state/view";
import { say } from "../../words/words";
import { element, tell } from "./element";
import style from "./tip.module.css";
import { distanceTo, type Point, placeTip } from "./tip-place";
import { type TipRow, TipTable } from "./tip-table";

export interface TipContent {
  head: string;
  /** What the names of all runs share, said once; empty for nothing. */
  shared: string;
  rows: readonly TipRow[];
  /** The row that differences are measured from. */
  lead: TipRow | null;
  /** Significant digits of values that are not whole. */
  digits: number;
}

const ROW_PX = 18;
/** A kept tip scrolls; more rows than these are for the table of the full screen. */
const KEPT_ROWS = 200;
/** Further from a kept tip than it has been, by more than a hand trembles, the pointer has turned away. */
const TURN_PX = 32;
/** Keys that copy, or ask for something with others: they leave a kept tip alone. */
const QUIET_KEYS = new Set(["Shift", "Control", "Meta", "Alt"]);

/** Nobody holds Shift on a screen that is touched. */
const TOUCHED = matchMedia("(hover: none)");

export class Tip {
  readonly #box = element("div", style.tip);
  readonly #head = element("div", style.head);
  readonly #shared = element("bdi", style.shared);
  readonly #table = new TipTable();
  readonly #foot = element("div", style.foot);
  #content: TipContent | null = null;
  #at: Point = { x: 0, y: 0 };
  #card: HTMLElement | null = null;
  #all = false;
  /** How near the pointer has come to the tip while it is kept; null while it follows. */
  #nearest: number | null = null;

  constructor() {
    this.#box.dataset.testid = "tip";
    this.#box.setAttribute("role", "tooltip");
    this.#box.append(this.#head, this.#shared, this.#table.element, this.#foot);
    document.body.append(this.#box);
    const shift = (event: KeyboardEvent) => {
      if (event.key !== "Shift") return;
      this.#setAll(event.type === "keydown");
      // Shift and a click make a range: the chart under a kept tip is meant.
      this.#box.toggleAttribute("data-through", event.type === "keydown");
    };
    addEventListener("keydown", shift);
    addEventListener("keyup", shift);
    // A menu, another window or a moved page takes the place from under the tip. The run table does not: it scrolls
    // by itself to the row of the run under the pointer.
    addEventListener("blur", () => this.hide());
    addEventListener("resize", () => this.drop());
    addEventListener("scroll", (event) => this.#scrolled(event), { capture: true, passive: true });
    addEventListener("pointerdown", ({ target }) => !this.#box.contains(target as Node) && this.drop(), {
      capture: true,
    });
    addEventListener("pointermove", (event) => this.#turned(event), { capture: true, passive: true });
    addEventListener("keydown", (event) => this.#typed(event), { capture: true });
  }

  /** `card`: what is under the pointer and better seen than covered. */
  show(content: TipContent, at: Point, card: HTMLElement): void {
    if (this.#nearest !== null) return;
    this.#content = content;
    this.#card = card;
    this.#at = at;
    this.#draw();
  }

  /** Shows it until the pointer turns away. */
  keep(content: TipContent, at: Point, card: HTMLElement): void {
    this.drop();
    this.show(content, at, card);
    this.#nearest = Number.POSITIVE_INFINITY;
    this.#box.dataset.kept = "";
    // What scrolls can be scrolled by keys too.
    this.#box.tabIndex = 0;
    this.#draw();
  }

  /** A kept tip stands where it is and says it better. */
  retell(content: TipContent, card: HTMLElement): void {
    if (this.#nearest === null || this.#card !== card) return;
    this.#content = content;
    this.#write();
  }

  /** The pointer left: a kept tip stays. */
  hide(): void {
    if (this.#nearest === null) this.drop();
  }

  /** What it stands for is gone. */
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
    const asked = useView.getState().tipRows;
    const followed = this.#all || asked === 0 ? room : Math.min(asked, room);
    const kept = this.#nearest !== null;
    const shown = rows.slice(0, kept ? KEPT_ROWS : followed);
    const rest = rows.length - shown.length;
    tell(this.#head, head);
    this.#shared.hidden = shared === "";
    tell(this.#shared, shared);
    this.#table.show(shown, lead, digits);
    this.#foot.hidden = rest === 0;
    if (rest > 0)
      tell(
        this.#foot,
        say(this.#all || kept || TOUCHED.matches ? "tip.more" : "tip.moreShift", { count: rest }),
      );
    this.#box.dataset.shown = "";
  }

  #place(): void {
    const { offsetWidth: width, offsetHeight: height } = this.#box;
    const { x, y } = placeTip({ width, height }, this.#at, this.#card?.getBoundingClientRect() ?? null, {
      width: innerWidth,
      height: innerHeight,
    });
    this.#box.style.transform = `translate(${x}px, ${y}px)`;
  }
}

let shared: Tip | null = null;

/** The page's one tip. */
export function tip(): Tip {
  if (shared === null) {
    const made = new Tip();
    // Esc, a card that scrolls away, another page: without a cursor there is no tip.
    useScene.subscribe(({ cursor }) => cursor === null && made.hide());
    shared = made;
  }
  return shared;
}
