/** What the palette offers, and which of it answers what was typed. Pure. */

import { type Match, match } from "../../base/fuzzy";
import { layouts } from "../../base/keyboard";

export type EntryKind = "action" | "page" | "view" | "setting" | "run" | "tag";

export interface Entry {
  /** The same from one day to the next, so that recent ones can be remembered. */
  id: string;
  kind: EntryKind;
  text: string;
  /** Other names: the same in other languages, a run's name in the logs. */
  also?: readonly string[];
  /** The key that does it without the palette. */
  hotkey?: string | undefined;
  /** A small word at the right: how many runs hold a tag. */
  end?: string;
  act(): void;
}

export interface Found {
  entry: Entry;
  span: Match["span"];
  /** The other name that answered, if the shown one did not. */
  by: string | null;
}

const MOST = 40;
/** What was chosen lately wins over an equal answer, not over a better one. */
const RECENT = 14;
/** Of equal answers, names out of the logs come first: they are what people look for. */
const KIND_BONUS: Readonly<Record<EntryKind, number>> = {
  tag: 3,
  run: 2,
  view: 2,
  page: 1,
  action: 1,
  setting: 0,
};

/** The best answers first. Nothing typed: what was chosen lately, then everything in its order. */
export function find(entries: readonly Entry[], typed: string, recent: readonly string[]): Found[] {
  if (typed.trim() === "") return atRest(entries, recent);
  const meant = layouts(typed);
  const found: (Found & { score: number })[] = [];
  for (const entry of entries) {
    const best = bestOf(entry, meant);
    if (best === null) continue;
    const place = recent.indexOf(entry.id);
    const bonus = KIND_BONUS[entry.kind] + (place < 0 ? 0 : RECENT / (place + 1));
    found.push({ ...best, entry, score: best.score + bonus });
  }
  return found.sort((a, b) => b.score - a.score).slice(0, MOST);
}

function atRest(entries: readonly Entry[], recent: readonly string[]): Found[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const lately = recent.flatMap((id) => byId.get(id) ?? []);
  const others = entries.filter(({ id }) => !recent.includes(id));
  return [...lately, ...others].slice(0, MOST).map((entry) => ({ entry, span: null, by: null }));
}

function bestOf(
  entry: Entry,
  meant: readonly string[],
): { score: number; span: Match["span"]; by: string | null } | null {
  let best: { score: number; span: Match["span"]; by: string | null } | null = null;
  for (const [at, typed] of meant.entries()) {
    for (const name of [entry.text, ...(entry.also ?? [])]) {
      const answer = match(name, typed);
      if (answer === null) continue;
      // The layout that is really on counts a little more than the one that was meant.
      const score = answer.score - at;
      const own = name === entry.text;
      if (best === null || score > best.score)
        best = { score, span: own ? answer.span : null, by: own ? null : name };
    }
  }
  return best;
}
