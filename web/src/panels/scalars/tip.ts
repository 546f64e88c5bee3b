/**
 * The tip beside the pointer: what the runs are at one place. One for the page, made by hand, as it follows the
 * pointer within the frame.
 */

import { useScene } from "../../state/scene";
import { useView } from "../../state/view";
import { say } from "../../words/words";
import { element, tell } from "./element";
import style from "./tip.module.css";
import { type Point, placeTip } from "./tip-place";
import { type TipRow, TipTable } from "./tip-table";

export interface TipContent {
  head: string;
  rows: readonly TipRow[];
  /** The row that differences are measured from. */
  lead: TipRow | null;
}

const ROW_PX = 18;

export class Tip {
  readonly #box = element("div", style.tip);
  readonly #head = element("div", style.head);
  readonly #table = new TipTable();
  readonly #foot = element("div", style.foot);
  #content: TipContent | null = null;
  #at: Point = { x: 0, y: 0 };
  #card: HTMLElement | null = null;
  #all = false;

  constructor() {
    this.#box.dataset.testid = "tip";
    this.#box.setAttribute("role", "tooltip");
    this.#box.append(this.#head, this.#table.element, this.#foot);
    document.body.append(this.#box);
    const shift = (event: KeyboardEvent) => {
      if (event.key === "Shift") this.#setAll(event.type === "keydown");
    };
    addEventListener("keydown", shift);
    addEventListener("keyup", shift);
    // A menu, another window or a moved page takes the place from under the tip. The run table does not: it scrolls
    // by itself to the row of the run under the pointer.
    for (const type of ["blur", "resize"]) addEventListener(type, () => this.hide());
    addEventListener("scroll", (event) => this.#scrolled(event), { capture: true, passive: true });
    addEventListener("pointerdown", () => this.hide(), { capture: true });
  }

  /** `card`: what is under the pointer and better seen than covered. */
  show(content: TipContent, at: Point, card: HTMLElement): void {
    this.#content = content;
    this.#card = card;
    this.#at = at;
    this.#draw();
  }

  hide(): void {
    if (this.#content === null) return;
    this.#content = null;
    delete this.#box.dataset.shown;
    this.#table.show([], null);
  }

  #scrolled({ target }: Event): void {
    if (target instanceof Node && target.contains(this.#card)) this.hide();
  }

  #setAll(all: boolean): void {
    this.#all = all;
    if (this.#content) this.#draw();
  }

  #draw(): void {
    const { head, rows, lead } = this.#content!;
    const room = Math.floor((innerHeight - 96) / ROW_PX);
    const asked = useView.getState().tipRows;
    const shown = rows.slice(0, this.#all || asked === 0 ? room : Math.min(asked, room));
    const rest = rows.length - shown.length;
    tell(this.#head, head);
    this.#table.show(shown, lead);
    this.#foot.hidden = rest === 0;
    if (rest > 0) tell(this.#foot, say(this.#all ? "tip.more" : "tip.moreShift", { count: rest }));
    this.#box.dataset.shown = "";
    this.#place();
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
