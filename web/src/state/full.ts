/** The card that fills the window, if one does. Not in the address: it is a closer look, not another view. */

import { create } from "zustand";

interface Full {
  /** The tag that names the card. */
  tag: string | null;
}

export const useFull = create<Full>()(() => ({ tag: null }));

export function showFull(tag: string | null): void {
  useFull.setState({ tag });
}
