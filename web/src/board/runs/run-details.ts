/**
 * Details of each run: what the server read, and its annotations. This is the only place where runs that only carry
 * the hyperparameters of another are folded into it.
 */

import { memoize } from "../../lib/memoize";
import { annotationOf, type RunAnnotation, useAnnotations } from "../data/annotations";
import { type RunInfo, useSortedRuns, wallTime } from "../data/lists";
import type { NonfiniteMetric } from "./nonfinite-metrics";

export type ConfigValue = number | string | boolean;
export type RunStatus = "running" | "finished" | "failed" | "idle";

/** The status to show: a run that ended in NaN diverged, even if it reported success. */
export type ShownStatus = RunStatus | "diverged";

export interface RunDetails {
  id: number;
  name: string;
  /** The label on screen. */
  label: string;
  run: RunInfo;
  config: Readonly<Record<string, ConfigValue>>;
  status: RunStatus;
  /** Null if every metric ends in a finite number. */
  nonfinite: NonfiniteMetric | null;
  /** Seconds since the epoch of the first event. */
  created: number | null;
  /** Seconds from the first scalar to the last; between the first and last event if there are no scalars. */
  duration: number | null;
  tags: readonly string[];
  note: string;
  /** Names that a filter for groups matches: its own group and its folders. */
  groups: readonly string[];
  /** Ids of the runs folded into it. */
  folded: readonly number[];
  /** The name of each of these, relative to this run. */
  parts: ReadonlyMap<number, string>;
  hidden: boolean;
  archived: boolean;
  /** The colour that the user chose: a slot, or "#rrggbb". */
  color: number | string | null;
}

let lastDetails: ReadonlyMap<number, RunDetails> = new Map();

/** Shared by all callers; details are the same objects until their inputs change. */
const collect = memoize(
  (runs: readonly RunInfo[], added: Readonly<Record<string, RunAnnotation>>): readonly RunDetails[] => {
    const folds = foldRuns(runs);
    const infos = new Map(runs.map((run) => [run.id, run]));
    const details = runs.flatMap((run): RunDetails[] => {
      if (rootOf(run, folds.parents) !== run.id) return [];
      const note = annotationOf({ runs: added, views: {} }, run.name);
      const folded = folds.children.get(run.id) ?? NO_IDS;
      return [detailsOf(run, note, folded, infos, lastDetails.get(run.id))];
    });
    lastDetails = new Map(details.map((each) => [each.id, each]));
    return details;
  },
);

const listed = memoize((details: readonly RunDetails[]) =>
  details.some(({ hidden, archived }) => hidden || archived)
    ? details.filter(({ hidden, archived }) => !hidden && !archived)
    : details,
);

const runsOf = memoize((details: readonly RunDetails[]) => details.map(({ run }) => run));

/** All runs that are not folded into another, in the order of the table. */
export function useRunDetails(): readonly RunDetails[] {
  return collect(
    useSortedRuns(),
    useAnnotations((annotations) => annotations.runs),
  );
}

/** The runs that are neither hidden nor archived: those that the table lists and charts can draw. */
export function useListedDetails(): readonly RunDetails[] {
  return listed(useRunDetails());
}

export function useListedRuns(): readonly RunInfo[] {
  return runsOf(useListedDetails());
}

const NO_IDS: readonly number[] = [];

interface Folds {
  /** Maps each folded run to its parent. */
  parents: ReadonlyMap<number, number>;
  children: ReadonlyMap<number, readonly number[]>;
}

export function foldRuns(runs: readonly RunInfo[]): Folds {
  const parents = new Map<number, number>();
  for (const { id, folded_into: parent } of runs) if (parent !== null) parents.set(id, parent);
  const children = new Map<number, number[]>();
  for (const run of runs) {
    const root = rootOf(run, parents);
    if (root === run.id) continue;
    const list = children.get(root);
    if (list) list.push(run.id);
    else children.set(root, [run.id]);
  }
  return { parents, children };
}

/** The run that this one is folded into, or itself. */
function rootOf({ id }: RunInfo, parents: ReadonlyMap<number, number>): number {
  let root = id;
  for (let depth = 0; depth < 8; depth++) root = parents.get(root) ?? root;
  return root;
}

/** The previous object, if none of its inputs changed. */
function detailsOf(
  run: RunInfo,
  added: RunAnnotation,
  folded: readonly number[],
  infos: ReadonlyMap<number, RunInfo>,
  before: RunDetails | undefined,
): RunDetails {
  const inputs = [run, added, ...folded.flatMap((id) => infos.get(id) ?? [])];
  const madeBefore = before && sources.get(before);
  if (before && madeBefore?.length === inputs.length && inputs.every((each, at) => each === madeBefore[at]))
    return before;
  const created = wallTime(run.start_wall_time);
  const details: RunDetails = {
    id: run.id,
    name: run.name,
    label: added.display_name || run.name,
    run,
    config: run.config,
    status: statusOf(run),
    nonfinite: nonfiniteOf([run, ...folded.flatMap((id) => infos.get(id) ?? [])]),
    created,
    duration: wallTime(run.duration_secs),
    tags: added.tags ?? [],
    note: added.note ?? "",
    groups: [run.group_name, run.name.slice(0, run.name.lastIndexOf("/"))].filter((name) => name !== ""),
    folded,
    parts: partsOf(run.name, folded, infos),
    hidden: added.hidden ?? false,
    archived: added.archived ?? false,
    color: added.color === "" ? null : (added.color ?? null),
  };
  sources.set(details, inputs);
  return details;
}

/** The earliest non-finite metric; metrics of folded runs belong to the run. */
function nonfiniteOf(runs: readonly RunInfo[]): NonfiniteMetric | null {
  const ends = runs.flatMap(({ nonfinite_end: end }) => end ?? []);
  const [first] = ends.toSorted((a, b) => a.step - b.step);
  if (!first) return null;
  return { ...first, value: Number(first.value), tags: ends.reduce((sum, { tags }) => sum + tags, 0) };
}

export function shownStatus({ status, nonfinite }: Pick<RunDetails, "status" | "nonfinite">): ShownStatus {
  return nonfinite !== null && (status === "finished" || status === "idle") ? "diverged" : status;
}

const NO_PARTS: ReadonlyMap<number, string> = new Map();

function partsOf(
  whole: string,
  folded: readonly number[],
  infos: ReadonlyMap<number, RunInfo>,
): ReadonlyMap<number, string> {
  if (folded.length === 0) return NO_PARTS;
  const start = whole === "." ? 0 : whole.length + 1;
  return new Map(folded.map((id) => [id, (infos.get(id)?.name ?? "").slice(start)]));
}

/** The inputs from which each object was made. */
const sources = new WeakMap<RunDetails, readonly object[]>();

/** A run whose files grow is running: some writers report "success" together with the hyperparameters. */
export function statusOf({ outcome, status }: Pick<RunInfo, "outcome" | "status">): RunStatus {
  if (outcome === "failure") return "failed";
  if (status === "live") return "running";
  return outcome === "success" ? "finished" : "idle";
}
