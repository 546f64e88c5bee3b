/** A word about what just happened, at the foot of the page for a few seconds. Nothing anybody has to answer. */

import { create } from "zustand";
import type { WordId } from "../words/words";

export interface Notice {
  word: WordId;
  values: Record<string, string | number>;
  /** Offers to take the last step back. */
  undo: boolean;
}

export const useNotice = create<{ notice: Notice | null }>()(() => ({ notice: null }));

export function notify(word: WordId, values: Notice["values"] = {}, { undo = false } = {}): void {
  useNotice.setState({ notice: { word, values, undo } });
}

export function dismiss(): void {
  useNotice.setState({ notice: null });
}
