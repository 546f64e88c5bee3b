/** Opens the section of a card, comes to its place, and gives it the keyboard once it is built. */

import { fold, useFolds } from "../../state/fold";

const RETRY_MS = 50;
const TRIES = 40;

/** `section` is the name its fold is kept under. The place of a card says its name in `data-item`. */
export function comeTo(name: string, section: string, left = TRIES): void {
  if (useFolds.getState().folded.has(section)) fold([section], false);
  const place = document.querySelector(`[data-item="${CSS.escape(name)}"]`);
  const card = place?.querySelector<HTMLElement>('[data-testid="card"]');
  place?.scrollIntoView({ block: "nearest" });
  if (card) {
    card.tabIndex = -1;
    card.focus({ preventScroll: true });
  } else if (left > 0) setTimeout(() => comeTo(name, section, left - 1), RETRY_MS);
}
