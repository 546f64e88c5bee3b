/** Opens the section of a card, scrolls to it, and focuses it once it is mounted. */

import { setFolded, useFoldedSections } from "../view/folded-sections";

const RETRY_MS = 50;
const TRIES = 40;

/** `section` is the name under which its folding is stored. The placeholder of a card has its name in `data-item`. */
export function scrollToCard(name: string, section: string, left = TRIES): void {
  if (useFoldedSections.getState().folded.has(section)) setFolded([section], false);
  const place = document.querySelector(`[data-item="${CSS.escape(name)}"]`);
  const card = place?.querySelector<HTMLElement>('[data-testid="card"]');
  place?.scrollIntoView({ block: "nearest" });
  if (card) {
    card.tabIndex = -1;
    card.focus({ preventScroll: true });
  } else if (left > 0) setTimeout(() => scrollToCard(name, section, left - 1), RETRY_MS);
}
