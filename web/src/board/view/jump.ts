/** Scrolls to the card of a tag. `goToTag` also opens its page and clears a filter that hides it. */

import { change, commit, useView } from "./view";
import { DEFAULT_PAGE } from "./view-state";

type Listener = (tag: string) => void;

const listeners = new Set<Listener>();

export function jumpTo(tag: string): void {
  for (const listener of listeners) listener(tag);
}

export function onJump(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const RETRY_MS = 50;
const TRIES = 40;

export function goToTag(tag: string): void {
  const { page, tagFilter } = useView.getState();
  // A filter that excludes the card would make the jump go nowhere.
  if (tagFilter !== "") change({ tagFilter: "" });
  if (page !== DEFAULT_PAGE) commit({ page: DEFAULT_PAGE, subject: "" });
  setTimeout(() => attempt(tag, TRIES), 0);
}

/** Tries again, as the page may have to render and lay out its lists first. */
function attempt(tag: string, left: number): void {
  jumpTo(tag);
  const there = () => document.querySelector(`[data-testid="card"][data-tag="${CSS.escape(tag)}"]`);
  setTimeout(() => {
    if (!there() && left > 0) attempt(tag, left - 1);
  }, RETRY_MS);
}
