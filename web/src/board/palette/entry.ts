/** Entries of the palette, and the search among them. Pure. */

import { type Match, match, NO_MATCH, scoreOf } from "../../lib/fuzzy";
import { layouts } from "../../lib/keyboard";

export type EntryKind = "action" | "page" | "view" | "setting" | "run" | "tag";

export interface Entry {
  /** Stable between visits, so that recent ones can be remembered. */
  id: string;
  kind: EntryKind;
  text: string;
  /** Other names: in other languages, or a run's name in the logs. */
  also?: readonly string[];
  /** The hotkey without the palette. */
  hotkey?: string | undefined;
  /** A short text at the right, such as the number of runs with a tag. */
  end?: string;
  run(): void;
}

export interface SearchMatch {
  entry: Entry;
  span: Match["span"];
  /** The other name that matched, if the displayed one did not. */
  by: string | null;
}

const MOST = 40;
/** Bonus of recent entries: they win over equal matches, not over better ones. */
const RECENT = 14;
/** Among equal matches, names from the logs come first, since people mostly look for those. */
const KIND_BONUS: Readonly<Record<EntryKind, number>> = {
  tag: 3,
  run: 2,
  view: 2,
  page: 1,
  action: 1,
  setting: 0,
};

/** The best matches first. Without input: recent entries, then all in their order. */
export function find(entries: readonly Entry[], typed: string, recent: readonly string[]): SearchMatch[] {
  if (typed.trim() === "") return atRest(entries, recent);
  const readings = layouts(typed).map((text) => text.trim().toLowerCase());
  const lately = new Map(recent.map((id, place) => [id, RECENT / (place + 1)]));
  const found: { entry: Entry; score: number }[] = [];
  for (const entry of entries) {
    const best = bestScore(namesOf(entry), readings);
    if (best === NO_MATCH) continue;
    found.push({ entry, score: best + KIND_BONUS[entry.kind] + (lately.get(entry.id) ?? 0) });
  }
  found.sort((a, b) => b.score - a.score);
  return found.slice(0, MOST).map(({ entry }) => explained(entry, readings));
}

function atRest(entries: readonly Entry[], recent: readonly string[]): SearchMatch[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const lately = recent.flatMap((id) => byId.get(id) ?? []);
  const others = entries.filter(({ id }) => !recent.includes(id));
  return [...lately, ...others].slice(0, MOST).map((entry) => ({ entry, span: null, by: null }));
}

/** Lower-case names, the displayed one first: cached, since ten thousand runs are searched on each key. */
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
  let best = NO_MATCH;
  for (let at = 0; at < meant.length; at++) {
    for (const name of names) {
      const score = scoreOf(name, meant[at]!);
      // The active keyboard layout counts a little more than the other.
      if (score !== NO_MATCH && score - at > best) best = score - at;
    }
  }
  return best;
}

/** Adds the matched part for highlighting, or the other name that matched. */
function explained(entry: Entry, meant: readonly string[]): SearchMatch {
  const names = namesOf(entry);
  const best = bestScore(names, meant);
  if (bestScore(names.slice(0, 1), meant) === best) {
    const spans = meant.map((typed) => match(entry.text, typed)?.span ?? null);
    return { entry, span: spans.find((span) => span !== null) ?? null, by: null };
  }
  const by = names.findIndex((name) => bestScore([name], meant) === best);
  return { entry, span: null, by: entry.also?.[by - 1] ?? null };
}
