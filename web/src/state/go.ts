/** Going to the card of a tag from anywhere: to its page, past a filter that leaves it out, to where it stands. */

import { jumpTo } from "./jump";
import { change, commit, useView } from "./view";
import { DEFAULT_PAGE } from "./viewstate";

const RETRY_MS = 50;
const TRIES = 40;

export function goToTag(tag: string): void {
  const { page, tagFilter } = useView.getState();
  // A filter that leaves the card out would make the jump go nowhere.
  if (tagFilter !== "") change({ tagFilter: "" });
  if (page !== DEFAULT_PAGE) commit({ page: DEFAULT_PAGE, subject: "" });
  setTimeout(() => attempt(tag, TRIES), 0);
}

/** The page may have to be drawn first, and its lists to be laid out. */
function attempt(tag: string, left: number): void {
  jumpTo(tag);
  const there = () => document.querySelector(`[data-testid="card"][data-tag="${CSS.escape(tag)}"]`);
  setTimeout(() => {
    if (!there() && left > 0) attempt(tag, left - 1);
  }, RETRY_MS);
}
