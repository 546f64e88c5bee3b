/** The cards pinned to the top of the page, in order. */

import { commit, useView } from "./view";

export function isPinned(tag: string): boolean {
  return useView.getState().pinned.includes(tag);
}

export function togglePin(tag: string): void {
  const { pinned } = useView.getState();
  commit({ pinned: pinned.includes(tag) ? pinned.filter((each) => each !== tag) : [...pinned, tag] });
}

/** Moves a card before a pinned one, or to the end; pins it if it was not pinned. */
export function placePin(tag: string, before: string | null): void {
  const others = useView.getState().pinned.filter((each) => each !== tag);
  const at = before === null ? -1 : others.indexOf(before);
  const pinned = at < 0 ? [...others, tag] : others.toSpliced(at, 0, tag);
  commit({ pinned });
}

/** Moves a pinned card one place towards the front (−1) or the back (1). */
export function movePin(tag: string, by: 1 | -1): void {
  const { pinned } = useView.getState();
  const at = pinned.indexOf(tag);
  const others = pinned.filter((each) => each !== tag);
  if (at >= 0) commit({ pinned: others.toSpliced(Math.max(0, at + by), 0, tag) });
}

export function clearPins(): void {
  commit({ pinned: [] });
}
