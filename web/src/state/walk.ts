/** Going from card to card by keys: the cards of the page in order, and the one meant now. */

import { jumpTo } from "./jump";
import { useScene } from "./scene";

let order: readonly string[] = [];
let last: string | null = null;

/** Said by the page whenever its cards change. */
export function setOrder(tags: readonly string[]): void {
  order = tags;
}

export function currentOrder(): readonly string[] {
  return order;
}

/** The card the keys speak of: the focused one, else the one under the pointer. */
export function cardMeant(): string | null {
  const focused = document.activeElement?.closest<HTMLElement>('[data-testid="card"]');
  return focused?.dataset.tag ?? useScene.getState().cursor?.tag ?? null;
}

/** The card before or after another, around the ends. */
export function neighbour(tag: string | null, direction: 1 | -1): string | null {
  if (order.length === 0) return null;
  const at = tag === null ? -1 : order.indexOf(tag);
  if (at < 0) return order.at(direction === 1 ? 0 : -1)!;
  return order[(at + direction + order.length) % order.length]!;
}

/** The card on one side of another, to be named there: of two cards each is on one side of the other only. */
export function cardBeside(tag: string, direction: 1 | -1): string | null {
  const to = neighbour(tag, direction);
  const first = order[0] === tag;
  const twice = order.length === 2 && first !== (direction === 1);
  return to === tag || twice ? null : to;
}

/** Moves the keyboard to the next or the previous card. */
export function walk(direction: 1 | -1): void {
  last = neighbour(cardMeant() ?? last, direction);
  if (last !== null) jumpTo(last);
}
