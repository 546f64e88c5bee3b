/** A short notice at the foot of the page about what just happened. It needs no answer and disappears by itself. */

import { create } from "zustand";
import type { WordId } from "../../i18n/words";

export interface Notice {
  word: WordId;
  values: Record<string, string | number>;
  /** Offer to undo the last step. */
  undo: boolean;
}

export const useNotice = create<{ notice: Notice | null }>()(() => ({ notice: null }));

export function notify(word: WordId, values: Notice["values"] = {}, { undo = false } = {}): void {
  useNotice.setState({ notice: { word, values, undo } });
}

export function dismiss(): void {
  useNotice.setState({ notice: null });
}
