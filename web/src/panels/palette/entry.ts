/** What the palette offers, and which of it answers what was typed. Pure. */

import { type Match, match, NO_ANSWER, scoreOf } from "../../base/fuzzy";
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
  const meant = layouts(typed).map((text) => text.trim().toLowerCase());
  const lately = new Map(recent.map((id, place) => [id, RECENT / (place + 1)]));
  const found: { entry: Entry; score: number }[] = [];
  for (const entry of entries) {
    const best = bestScore(namesOf(entry), meant);
    if (best === NO_ANSWER) continue;
    found.push({ entry, score: best + KIND_BONUS[entry.kind] + (lately.get(entry.id) ?? 0) });
  }
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, MOST).map(({ entry }) => explained(entry, meant));
}

function atRest(entries: readonly Entry[], recent: readonly string[]): Found[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const lately = recent.flatMap((id) => byId.get(id) ?? []);
  const others = entries.filter(({ id }) => !recent.includes(id));
  return [...lately, ...others].slice(0, MOST).map((entry) => ({ entry, span: null, by: null }));
}

/** In lower case, the shown one first: made once, for ten thousand runs are looked through at each key. */
const lowered = new WeakMap<Entry, readonly string[]>();

function namesOf(entry: Entry): readonly string[] {
  let names = lowered.get(entry);
  if (!names) {
    names = [entry.text, ...(entry.also ?? [])].map((name) => name.toLowerCase());
    lowered.set(entry, names);
  }
  return names;
}

function bestScore(names: readonly string[], meant: readonly string[]): number {
  let best = NO_ANSWER;
  for (let at = 0; at < meant.length; at++) {
    for (const name of names) {
      const score = scoreOf(name, meant[at]!);
      // The layout that is really on counts a little more than the one that was meant.
      if (score !== NO_ANSWER && score - at > best) best = score - at;
    }
  }
  return best;
}

/** Where an answer matched, for marking; or the other name that did. */
function explained(entry: Entry, meant: readonly string[]): Found {
  const names = namesOf(entry);
  const best = bestScore(names, meant);
  if (bestScore(names.slice(0, 1), meant) === best) {
    const spans = meant.map((typed) => match(entry.text, typed)?.span ?? null);
    return { entry, span: spans.find((span) => span !== null) ?? null, by: null };
  }
  const by = names.findIndex((name) => bestScore([name], meant) === best);
  return { entry, span: null, by: entry.also?.[by - 1] ?? null };
}
