/** The card shown full screen, if any. Not part of the address, since it is not another view. */

import { create } from "zustand";

interface FullScreenCard {
  /** The tag that names the card. */
  tag: string | null;
}

export const useFullScreenCard = create<FullScreenCard>()(() => ({ tag: null }));

export function showFullScreen(tag: string | null): void {
  useFullScreenCard.setState({ tag });
}
