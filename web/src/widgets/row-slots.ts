/**
 * Which element of a long list shows which row. A row that left sight gives its element to one that came: to change
 * words is cheaper than to make elements. To move elements costs as much as to make them, so while one scrolls they
 * stay where they stand in the page; at rest they stand in the order of the rows, which Tab and readers follow.
 */

import { useRef } from "react";

interface Held {
  slot: number;
  index: number;
}

export class RowSlots {
  #held: readonly Held[] = [];
  #made = 0;

  /** The rows in sight, each with the key of its element, in the order in which the elements are to stand. */
  place<Row extends { index: number }>(rows: readonly Row[], resting: boolean): (readonly [number, Row])[] {
    const byIndex = new Map(rows.map((row) => [row.index, row]));
    const slots = new Map(this.#held.map(({ slot, index }) => [index, slot]));
    const free = this.#held.filter(({ index }) => !byIndex.has(index)).map(({ slot }) => slot);
    for (const { index } of rows) if (!slots.has(index)) slots.set(index, free.shift() ?? this.#made++);

    const inOrder = rows.map(({ index }) => ({ slot: slots.get(index)!, index }));
    this.#held = resting ? inOrder : standing(this.#held, inOrder);
    return this.#held.map(({ slot, index }) => [slot, byIndex.get(index)!] as const);
  }
}

/** The same elements, those that were there before in the order they had. */
function standing(before: readonly Held[], now: readonly Held[]): readonly Held[] {
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
