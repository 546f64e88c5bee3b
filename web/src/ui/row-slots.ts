/**
 * Assigns the rows of a virtual list to DOM elements. An element whose row scrolled out is reused for a new row:
 * changing text is cheaper than creating elements. Moving elements is as expensive as creating them, so while
 * scrolling they stay in place; at rest they are put in the order of the rows, which Tab and screen readers follow.
 */

import { useRef } from "react";

interface Slot {
  slot: number;
  index: number;
}

export class RowSlots {
  #held: readonly Slot[] = [];
  #slotCount = 0;

  /** The visible rows, each with the key of its element, in the order of the elements. */
  place<Row extends { index: number }>(rows: readonly Row[], resting: boolean): (readonly [number, Row])[] {
    const byIndex = new Map(rows.map((row) => [row.index, row]));
    const slots = new Map(this.#held.map(({ slot, index }) => [index, slot]));
    const free = this.#held.filter(({ index }) => !byIndex.has(index)).map(({ slot }) => slot);
    for (const { index } of rows) if (!slots.has(index)) slots.set(index, free.shift() ?? this.#slotCount++);

    const inOrder = rows.map(({ index }) => ({ slot: slots.get(index)!, index }));
    this.#held = resting ? inOrder : standing(this.#held, inOrder);
    return this.#held.map(({ slot, index }) => [slot, byIndex.get(index)!] as const);
  }
}

/** The same elements, those from before in their previous order. */
function standing(before: readonly Slot[], now: readonly Slot[]): readonly Slot[] {
  const left = new Map(now.map((held) => [held.slot, held]));
  const stayed = before.flatMap(({ slot }) => left.get(slot) ?? []);
  for (const { slot } of stayed) left.delete(slot);
  return [...stayed, ...left.values()];
}

/** `RowSlots.place` for the rows of one list. */
export function useRowSlots<Row extends { index: number }>(
  rows: readonly Row[],
  resting: boolean,
): (readonly [number, Row])[] {
  const slots = useRef<RowSlots>(null);
  slots.current ??= new RowSlots();
  return slots.current.place(rows, resting);
}
