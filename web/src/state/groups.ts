/** Runs that belong together: by a pattern in their names, by a hyper-parameter, or by folder. Pure. */

import { formatChosen } from "../base/number";
import type { RunFacts } from "./facts";
import { naturalOrder } from "./natural";

/** Ids from here on are groups; runs stay below. */
export const GROUP_BASE = 0x8000_0000;

export interface RunGroup {
  /** Of no run, and the same for the same group as long as the page is open. */
  id: number;
  /** What its members share. */
  key: string;
  label: string;
  /** Its colour: by its place among all groups, past those of single runs. */
  slot: number;
  members: readonly RunFacts[];
}

export interface Grouped {
  groups: readonly RunGroup[];
  /** By the id of a run. */
  groupOf: ReadonlyMap<number, RunGroup>;
}

export const UNGROUPED: Grouped = { groups: [], groupOf: new Map() };

type Namer = (facts: RunFacts) => { key: string; label: string } | null;

/** Groups of `runs`, in natural order. Runs that share nothing stay single. Throws a SyntaxError on a bad pattern. */
export function groupRuns(runs: readonly RunFacts[], by: string): Grouped {
  const name = namer(by);
  const found = new Map<string, { key: string; label: string; members: RunFacts[] }>();
  for (const facts of runs) {
    const named = name(facts);
    if (!named) continue;
    const group = found.get(named.key);
    if (group) group.members.push(facts);
    else found.set(named.key, { ...named, members: [facts] });
  }
  const slots = freeSlots(runs.filter((facts) => name(facts) === null));
  const groups = [...found.values()]
    .toSorted((a, b) => naturalOrder(a.label, b.label))
    .map((group): RunGroup => ({ ...group, id: idOf(by, group.key), slot: slots.next().value! }));
  const groupOf = new Map(groups.flatMap((group) => group.members.map(({ id }) => [id, group] as const)));
  return { groups, groupOf };
}

/** Slots that no single run has, so that no group looks like one. */
function* freeSlots(single: readonly RunFacts[]): Generator<number> {
  const taken = new Set(single.map(({ run }) => run.slot));
  for (let slot = 0; ; slot++) if (!taken.has(slot)) yield slot;
}

/** What names the group of a run; null: it has none. */
function namer(by: string): Namer {
  const colon = by.indexOf(":");
  const kind = colon < 0 ? by : by.slice(0, colon);
  const rest = by.slice(colon + 1);
  if (kind === "name" && rest !== "") {
    const pattern = new RegExp(rest);
    return ({ name }) => {
      const text = captured(pattern, name);
      return text === null ? null : { key: text, label: text };
    };
  }
  if (kind === "config" && rest !== "")
    return ({ config }) => {
      const value = config[rest];
      if (value === undefined) return null;
      return {
        key: String(value),
        label: `${rest}=${typeof value === "number" ? formatChosen(value) : String(value)}`,
      };
    };
  if (kind !== "folder") throw new SyntaxError(by);
  return ({ name }) => {
    const folder = name.slice(0, Math.max(0, name.lastIndexOf("/")));
    return folder === "" ? null : { key: folder, label: `${folder}/` };
  };
}

/** The first group a pattern captures in a text, else its match; null if there is nothing. */
export function captured(pattern: RegExp, text: string): string | null {
  const match = pattern.exec(text);
  if (!match) return null;
  const parts = match.slice(1).filter((part) => part !== undefined && part !== "");
  return parts.length > 0 ? parts.join("/") : match[0] || null;
}

const ids = new Map<string, number>();

function idOf(by: string, key: string): number {
  const name = `${by}\n${key}`;
  const id = ids.get(name) ?? GROUP_BASE + ids.size;
  ids.set(name, id);
  return id;
}

/** A pattern that puts runs together that differ only in a number at the end, if that is how they are named. */
export function likelyPattern(names: readonly string[]): string {
  const pattern = /^(.*?)[-_/. ]?(?:seed|run|trial|rep|fold)?[-_ ]?\d+$/i;
  const groups = new Set(names.map((name) => pattern.exec(name)?.[1] ?? name));
  return groups.size < names.length ? "^(.*?)[-_/. ]?(?:seed|run|trial|rep|fold)?[-_ ]?\\d+$" : "^([^/_-]+)";
}
