/** Groups runs by a pattern in their names, by a hyperparameter, or by folder. Pure. */

import { naturalOrder } from "../../lib/natural-order";
import { formatChosen } from "../../lib/number";
import type { RunDetails } from "./run-details";

/** Ids of groups start here; those of runs stay below. */
export const GROUP_BASE = 0x8000_0000;

export interface RunGroup {
  /** Never the id of a run, and stable for a group as long as the page is open. */
  id: number;
  /** The value that its members share. */
  key: string;
  label: string;
  /** The slot of its colour, past those of single runs. */
  slot: number;
  members: readonly RunDetails[];
}

export interface RunGroups {
  groups: readonly RunGroup[];
  /** By the id of a run. */
  groupOf: ReadonlyMap<number, RunGroup>;
}

export const NO_GROUPS: RunGroups = { groups: [], groupOf: new Map() };

type Namer = (details: RunDetails) => { key: string; label: string } | null;

/**
 * The groups of `runs` in natural order. Runs that share nothing stay single. Throws a SyntaxError for an invalid
 * pattern.
 */
export function groupRuns(runs: readonly RunDetails[], by: string): RunGroups {
  const name = namer(by);
  const found = new Map<string, { key: string; label: string; members: RunDetails[] }>();
  for (const details of runs) {
    const named = name(details);
    if (!named) continue;
    const group = found.get(named.key);
    if (group) group.members.push(details);
    else found.set(named.key, { ...named, members: [details] });
  }
  const slots = freeSlots(runs.filter((details) => name(details) === null));
  const groups = [...found.values()]
    .toSorted((a, b) => naturalOrder(a.label, b.label))
    .map((group): RunGroup => ({ ...group, id: idOf(by, group.key), slot: slots.next().value! }));
  const groupOf = new Map(groups.flatMap((group) => group.members.map(({ id }) => [id, group] as const)));
  return { groups, groupOf };
}

/** Slots that no single run uses, so that no group looks like a run. */
function* freeSlots(single: readonly RunDetails[]): Generator<number> {
  const usedSlots = new Set(single.map(({ run }) => run.slot));
  for (let slot = 0; ; slot++) if (!usedSlots.has(slot)) yield slot;
}

/** Returns a function that names the group of a run, or null if it has none. */
function namer(by: string): Namer {
  const colon = by.indexOf(":");
  const kind = colon < 0 ? by : by.slice(0, colon);
  const rest = by.slice(colon + 1);
  if (kind === "name" && rest !== "") {
    const pattern = new RegExp(rest);
    return ({ name }) => {
      const text = captureOf(pattern, name);
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

/** The first capture group of a match, or the whole match; null without a match. */
export function captureOf(pattern: RegExp, text: string): string | null {
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

/** Suggests a pattern that groups runs whose names differ only in a number at the end, if they are named so. */
export function likelyPattern(names: readonly string[]): string {
  const pattern = /^(.*?)[-_/. ]?(?:seed|run|trial|rep|fold)?[-_ ]?\d+$/i;
  const groups = new Set(names.map((name) => pattern.exec(name)?.[1] ?? name));
  return groups.size < names.length ? "^(.*?)[-_/. ]?(?:seed|run|trial|rep|fold)?[-_ ]?\\d+$" : "^([^/_-]+)";
}
