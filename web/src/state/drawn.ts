/** What each card draws: the runs on show that hold its tag, each for itself or in groups. */

import { remember } from "../base/remember";
import { type RunFacts, useListed } from "./facts";
import { useGrouped } from "./grouped";
import type { Grouped, RunGroup } from "./groups";
import type { TagInfo } from "./lists";
import { colorOf, dashOf, type RunLook, sameItems, sameLook, useLooks } from "./looks";
import { naturalOrder } from "./natural";
import { useView } from "./view";
import { useVisibleRuns } from "./visible";

/** The looks a card of a tag draws, by slot, groups first. The same array as long as they are the same. */
export type Drawn = (tag: TagInfo) => readonly RunLook[];

export function useDrawn(): Drawn {
  return drawnOf(
    useLooks(),
    useVisibleRuns(),
    useGrouped(),
    useView((view) => view.grouping?.members ?? false),
    standIns(useListed()),
  );
}

/** By tag, to give the same array to a card whose runs are the same. */
let before = new Map<string, readonly RunLook[]>();

/** Pure, but for the arrays it gave before. */
export const drawnOf = remember(
  (
    looks: ReadonlyMap<number, RunLook>,
    visible: ReadonlySet<number>,
    grouped: Grouped,
    members: boolean,
    standing: ReadonlyMap<number, RunFacts>,
  ): Drawn => {
    const found = new Map<TagInfo, readonly RunLook[]>();
    const last = before;
    before = new Map();
    return (tag) => {
      const known = found.get(tag);
      if (known) return known;
      const runs = runsOn(tag, looks, visible, standing);
      const fresh = grouped.groups.length === 0 ? runs : together(runs, grouped, standing, members);
      const was = before.get(tag.tag) ?? last.get(tag.tag);
      const drawn = was ? same(was, fresh) : fresh;
      found.set(tag, drawn);
      before.set(tag.tag, drawn);
      return drawn;
    };
  },
);

/** Of each run folded into another, that one. */
export const standIns = remember(
  (runs: readonly RunFacts[]): ReadonlyMap<number, RunFacts> =>
    new Map(runs.flatMap((facts) => facts.folded.map((child) => [child, facts] as const))),
);

/**
 * The looks of one run under a tag: its own, or where it does not hold the tag itself, that of each run folded into it.
 * Several, as `add_scalars` makes them, have its colour, names of their own and lines that are cut in other ways.
 */
export function looksUnder(tag: TagInfo, { id, folded, parts }: RunFacts, look: RunLook): readonly RunLook[] {
  if (tag.runs.includes(id)) return [look];
  const held = folded.filter((each) => tag.runs.includes(each));
  if (held.length === 1) return [{ ...look, id: held[0]! }];
  const dash = dashOf(look);
  return held
    .map((each) => ({ id: each, part: partName(tag.tag, parts.get(each) ?? "") }))
    .toSorted((a, b) => naturalOrder(a.part, b.part))
    .map(({ id: each, part }, at) => ({
      ...look,
      id: each,
      label: `${look.label} · ${part}`,
      dash: (dash + at) % DASHES,
    }));
}

const DASHES = 4;

/** The key under which `add_scalars` wrote: its runs are called by tag and key. */
export function partName(tag: string, name: string): string {
  for (const start of [`${tag.replaceAll("/", "_")}_`, `${tag}/`])
    if (name.startsWith(start)) return name.slice(start.length);
  return name;
}

/** A run folded into another is drawn in the look of that one, where that one does not hold the tag itself. */
export function runsOn(
  tag: TagInfo,
  looks: ReadonlyMap<number, RunLook>,
  visible: ReadonlySet<number>,
  standing: ReadonlyMap<number, RunFacts>,
): RunLook[] {
  const runs: RunLook[] = [];
  const wholes = new Set<RunFacts>();
  for (const id of tag.runs) {
    const whole = standing.get(id);
    const look = looks.get(whole?.id ?? id);
    if (!look || !visible.has(look.id) || (whole && wholes.has(whole))) continue;
    if (whole) wholes.add(whole);
    if (!whole) runs.push(look);
    else if (!tag.runs.includes(whole.id)) runs.push(...looksUnder(tag, whole, look));
  }
  return runs.sort((a, b) => a.slot - b.slot);
}

function together(
  runs: readonly RunLook[],
  { groupOf }: Grouped,
  standing: ReadonlyMap<number, RunFacts>,
  members: boolean,
): RunLook[] {
  const single: RunLook[] = [];
  const parts = new Map<RunGroup, RunLook[]>();
  for (const look of runs) {
    const group = groupOf.get(standing.get(look.id)?.id ?? look.id);
    const part = group && parts.get(group);
    if (part) part.push(look);
    else if (group) parts.set(group, [look]);
    else single.push(look);
  }
  const groups = [...parts].map(([group, part]) => groupLook(group, part));
  groups.sort((a, b) => a.slot - b.slot);
  return [...groups, ...single, ...(members ? [...parts.values()].flat().map(faint) : [])];
}

/** Hexadecimal alpha of the single runs behind the line of their group. */
const FAINT = "70";

function faint(look: RunLook): RunLook {
  const color = { light: colorOf(look, "light") + FAINT, dark: colorOf(look, "dark") + FAINT };
  return { ...look, color, dash: dashOf(look) };
}

/** Members of one colour lend it to their group; of several, the group has the colour of its place. */
function groupLook(group: RunGroup, members: readonly RunLook[]): RunLook {
  const first = members[0]!;
  const alike = members.every(
    ({ slot, color }) => slot === first.slot && color?.light === first.color?.light,
  );
  return {
    id: group.id,
    name: group.label,
    label: `${group.label} (${members.length})`,
    slot: alike ? first.slot : group.slot,
    startWallTime: null,
    color: alike ? first.color : null,
    dash: alike ? first.dash : null,
    members: members.map(({ id }) => id),
  };
}

/** `was` itself, or `fresh` with the looks of `was` that say the same. */
function same(was: readonly RunLook[], fresh: readonly RunLook[]): readonly RunLook[] {
  const byId = new Map(was.map((look) => [look.id, look]));
  const looks = fresh.map((look) => {
    const known = byId.get(look.id);
    return known && sameLook(known, look) ? known : look;
  });
  return sameItems(was, looks) ? was : looks;
}
