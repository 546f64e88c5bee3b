/** The lines that each card draws: one per visible run that has the tag, alone or in groups. */

import { memoize } from "../../lib/memoize";
import { naturalOrder } from "../../lib/natural-order";
import { formatValue } from "../../lib/number";
import { sameItems } from "../../lib/same-items";
import type { TagInfo } from "../data/lists";
import { useView } from "../view/view";
import type { RunGroup, RunGroups } from "./groups";
import { colorOf, dashOf, type LineStyle, sameStyle, useLineStyles } from "./line-styles";
import { type RunDetails, useListedDetails } from "./run-details";
import { useRunGroups } from "./run-groups";
import { DASH_COUNT } from "./slot";
import { useVisibleRuns } from "./visible-runs";

/** The line styles that the card of a tag draws, by slot, groups first. The same array until they change. */
export type CardLines = (tag: TagInfo) => readonly LineStyle[];

export function useCardLines(): CardLines {
  return cardLinesOf(
    useLineStyles(),
    useVisibleRuns(),
    useRunGroups(),
    useView((view) => view.grouping?.members ?? false),
    foldedParents(useListedDetails()),
  );
}

/** The last results by tag: a card whose runs are unchanged gets the same array. */
let before = new Map<string, readonly LineStyle[]>();

/** Pure, except that it reuses arrays of earlier results. */
export const cardLinesOf = memoize(
  (
    lineStyles: ReadonlyMap<number, LineStyle>,
    visible: ReadonlySet<number>,
    grouped: RunGroups,
    members: boolean,
    parents: ReadonlyMap<number, RunDetails>,
  ): CardLines => {
    const found = new Map<TagInfo, readonly LineStyle[]>();
    const last = before;
    before = new Map();
    return (tag) => {
      const known = found.get(tag);
      if (known) return known;
      const runs = lineStylesForTag(tag, lineStyles, visible, parents);
      const fresh = grouped.groups.length === 0 ? runs : groupLines(runs, grouped, parents, members);
      const was = before.get(tag.tag) ?? last.get(tag.tag);
      const drawn = was ? reuseStyles(was, fresh) : fresh;
      found.set(tag, drawn);
      before.set(tag.tag, drawn);
      return drawn;
    };
  },
);

/** Maps each folded run to the run that it is folded into. */
export const foldedParents = memoize(
  (runs: readonly RunDetails[]): ReadonlyMap<number, RunDetails> =>
    new Map(runs.flatMap((details) => details.folded.map((child) => [child, details] as const))),
);

/**
 * The line styles of one run under a tag: its own or, if it does not have the tag itself, those of the runs folded
 * into it. Several of these, as `add_scalars` writes them, share its colour and have their own names and dashes.
 */
export function lineStylesOfRun(
  tag: TagInfo,
  { id, folded, parts }: RunDetails,
  lineStyle: LineStyle,
): readonly LineStyle[] {
  if (tag.runs.includes(id)) return [lineStyle];
  const children = folded.filter((each) => tag.runs.includes(each));
  if (children.length === 1) return [{ ...lineStyle, id: children[0]! }];
  const dash = dashOf(lineStyle);
  return children
    .map((each) => ({ id: each, part: partName(tag.tag, parts.get(each) ?? "") }))
    .toSorted((a, b) => naturalOrder(a.part, b.part))
    .map(({ id: each, part }, at) => ({
      ...lineStyle,
      id: each,
      label: `${lineStyle.label} · ${part}`,
      dash: (dash + at) % DASH_COUNT,
    }));
}

/** The key that was given to `add_scalars`: its runs are named by tag and key. */
export function partName(tag: string, name: string): string {
  for (const start of [`${tag.replaceAll("/", "_")}_`, `${tag}/`])
    if (name.startsWith(start)) return name.slice(start.length);
  return name;
}

/** A folded run is drawn in the style of its parent, if the parent does not have the tag itself. */
export function lineStylesForTag(
  tag: TagInfo,
  lineStyles: ReadonlyMap<number, LineStyle>,
  visible: ReadonlySet<number>,
  parents: ReadonlyMap<number, RunDetails>,
): LineStyle[] {
  const runs: LineStyle[] = [];
  const drawnParents = new Set<RunDetails>();
  for (const id of tag.runs) {
    const parent = parents.get(id);
    const lineStyle = lineStyles.get(parent?.id ?? id);
    if (!lineStyle || !visible.has(lineStyle.id) || (parent && drawnParents.has(parent))) continue;
    if (parent) drawnParents.add(parent);
    if (!parent) runs.push(lineStyle);
    else if (!tag.runs.includes(parent.id)) runs.push(...lineStylesOfRun(tag, parent, lineStyle));
  }
  return runs.sort((a, b) => a.slot - b.slot);
}

function groupLines(
  runs: readonly LineStyle[],
  { groupOf }: RunGroups,
  parents: ReadonlyMap<number, RunDetails>,
  members: boolean,
): LineStyle[] {
  const single: LineStyle[] = [];
  const parts = new Map<RunGroup, LineStyle[]>();
  for (const lineStyle of runs) {
    const group = groupOf.get(parents.get(lineStyle.id)?.id ?? lineStyle.id);
    const part = group && parts.get(group);
    if (part) part.push(lineStyle);
    else if (group) parts.set(group, [lineStyle]);
    else single.push(lineStyle);
  }
  const groups = [...parts].map(([group, part]) => groupStyle(group, part));
  groups.sort((a, b) => a.slot - b.slot);
  return [...groups, ...single, ...(members ? [...parts.values()].flat().map(faint) : [])];
}

/** Hexadecimal alpha of the single runs behind the line of their group. */
const FAINT = "70";

function faint(lineStyle: LineStyle): LineStyle {
  const color = { light: colorOf(lineStyle, "light") + FAINT, dark: colorOf(lineStyle, "dark") + FAINT };
  return { ...lineStyle, color, dash: dashOf(lineStyle) };
}

/** The colour of the members, if they share one; otherwise the group's own. */
function groupStyle(group: RunGroup, members: readonly LineStyle[]): LineStyle {
  const first = members[0]!;
  const alike = members.every(
    ({ slot, color }) => slot === first.slot && color?.light === first.color?.light,
  );
  return {
    id: group.id,
    name: group.label,
    label: `${group.label} (${memberText(group, members)})`,
    slot: alike ? first.slot : group.slot,
    startWallTime: null,
    color: alike ? first.color : null,
    dash: alike ? first.dash : null,
    members: members.map(({ id }) => id),
  };
}

/** "30", or "30, 8 NaN" if some of the runs diverged, in whichever metric: the line does not show it. */
function memberText(group: RunGroup, lines: readonly LineStyle[]): string {
  const drawn = new Set(lines.map(({ id }) => id));
  const ends = group.members.flatMap(({ id, folded, nonfinite }) =>
    nonfinite !== null && [id, ...folded].some((each) => drawn.has(each)) ? [nonfinite.value] : [],
  );
  return [lines.length, ...(ends.length > 0 ? [`${ends.length} ${formatValue(ends[0]!)}`] : [])].join(", ");
}

/** `was` if nothing changed, otherwise `fresh` with those line styles of `was` that are equal. */
function reuseStyles(was: readonly LineStyle[], fresh: readonly LineStyle[]): readonly LineStyle[] {
  const byId = new Map(was.map((lineStyle) => [lineStyle.id, lineStyle]));
  const lineStyles = fresh.map((lineStyle) => {
    const known = byId.get(lineStyle.id);
    return known && sameStyle(known, lineStyle) ? known : lineStyle;
  });
  return sameItems(was, lineStyles) ? was : lineStyles;
}
