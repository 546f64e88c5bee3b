/** Keyboard navigation between cards: their order on the page, and the current one. */

import { useInteraction } from "./interaction";
import { jumpTo } from "./jump";

let order: readonly string[] = [];
let last: string | null = null;

/** Called by the page whenever its cards change. */
export function setCardOrder(tags: readonly string[]): void {
  order = tags;
}

export function currentCardOrder(): readonly string[] {
  return order;
}

/** The card that keys act on: the focused one, otherwise the one under the pointer. */
export function currentCard(): string | null {
  const focused = document.activeElement?.closest<HTMLElement>('[data-testid="card"]');
  return focused?.dataset.tag ?? useInteraction.getState().cursor?.tag ?? null;
}

/** The card before or after another, wrapping around. */
export function adjacentCard(tag: string | null, direction: 1 | -1): string | null {
  if (order.length === 0) return null;
  const at = tag === null ? -1 : order.indexOf(tag);
  if (at < 0) return order.at(direction === 1 ? 0 : -1)!;
  return order[(at + direction + order.length) % order.length]!;
}

/** The card to name on one side of another: with two cards each is on one side only, although the order wraps. */
export function cardOnSide(tag: string, direction: 1 | -1): string | null {
  const to = adjacentCard(tag, direction);
  const first = order[0] === tag;
  const onBothSides = order.length === 2 && first !== (direction === 1);
  return to === tag || onBothSides ? null : to;
}

/** Focuses the next or the previous card. */
export function focusAdjacentCard(direction: 1 | -1): void {
  last = adjacentCard(currentCard() ?? last, direction);
  if (last !== null) jumpTo(last);
}
