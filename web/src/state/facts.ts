/**
 * What is known of each run, brought together once: what the server read, and what people added. Runs that only
 * carry the hyper-parameters of another are folded into it here and nowhere else.
 */

import { remember } from "../base/remember";
import { type RunInfo, useSortedRuns, wallTime } from "./lists";
import type { Lost } from "./lost";
import { noteOf, type RunNote, useOverlay } from "./overlay";

export type ConfigValue = number | string | boolean;
export type RunStatus = "running" | "finished" | "failed" | "idle";

/** What a run is said to be: one that ended, by its own account well, in NaN has not simply finished. */
export type ShownStatus = RunStatus | "diverged";

export interface RunFacts {
  id: number;
  name: string;
  /** What it is called on screen. */
  label: string;
  run: RunInfo;
  config: Readonly<Record<string, ConfigValue>>;
  status: RunStatus;
  /** Null where every metric ends in a number. */
  lost: Lost | null;
  /** Seconds since the epoch of the first event. */
  created: number | null;
  /** Seconds from the first scalar to the last; of events where there is none. */
  duration: number | null;
  tags: readonly string[];
  note: string;
  /** Names of the groups it may be asked by: its own, and its folders. */
  groups: readonly string[];
  /** Ids of the runs folded into it. */
  folded: readonly number[];
  /** How each of these is called below it. */
  parts: ReadonlyMap<number, string>;
  hidden: boolean;
  archived: boolean;
  /** Chosen by hand: a slot, or "#rrggbb". */
  color: number | string | null;
}

let kept: ReadonlyMap<number, RunFacts> = new Map();

/** One list for all who ask; facts are the same objects as before where nothing they are made of changed. */
const collect = remember(
  (runs: readonly RunInfo[], added: Readonly<Record<string, RunNote>>): readonly RunFacts[] => {
    const folds = foldedInto(runs);
    const infos = new Map(runs.map((run) => [run.id, run]));
    const facts = runs.flatMap((run): RunFacts[] => {
      if (rootOf(run, folds.parents) !== run.id) return [];
      const note = noteOf({ runs: added, views: {} }, run.name);
      const folded = folds.children.get(run.id) ?? NO_IDS;
      return [factsOf(run, note, folded, infos, kept.get(run.id))];
    });
    kept = new Map(facts.map((each) => [each.id, each]));
    return facts;
  },
);

const listed = remember((facts: readonly RunFacts[]) =>
  facts.some(({ hidden, archived }) => hidden || archived)
    ? facts.filter(({ hidden, archived }) => !hidden && !archived)
    : facts,
);

const runsOf = remember((facts: readonly RunFacts[]) => facts.map(({ run }) => run));

/** Every run that stands for itself, in the order of the table. */
export function useFacts(): readonly RunFacts[] {
  return collect(
    useSortedRuns(),
    useOverlay((overlay) => overlay.runs),
  );
}

/** Those that are neither hidden nor archived: what the table lists and what can be drawn. */
export function useListed(): readonly RunFacts[] {
  return listed(useFacts());
}

export function useListedRuns(): readonly RunInfo[] {
  return runsOf(useListed());
}

const NO_IDS: readonly number[] = [];

interface Folds {
  /** Of each folded run, the id of the run it belongs to. */
  parents: ReadonlyMap<number, number>;
  children: ReadonlyMap<number, readonly number[]>;
}

export function foldedInto(runs: readonly RunInfo[]): Folds {
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

/** The run that stands for this one. */
function rootOf({ id }: RunInfo, parents: ReadonlyMap<number, number>): number {
  let root = id;
  for (let depth = 0; depth < 8; depth++) root = parents.get(root) ?? root;
  return root;
}

/** The same object as before where nothing it is made of changed. */
function factsOf(
  run: RunInfo,
  added: RunNote,
  folded: readonly number[],
  infos: ReadonlyMap<number, RunInfo>,
  before: RunFacts | undefined,
): RunFacts {
  const made = [run, added, ...folded.flatMap((id) => infos.get(id) ?? [])];
  const madeBefore = before && sources.get(before);
  if (before && madeBefore?.length === made.length && made.every((each, at) => each === madeBefore[at]))
    return before;
  const created = wallTime(run.start_wall_time);
  const facts: RunFacts = {
    id: run.id,
    name: run.name,
    label: added.display_name || run.name,
    run,
    config: run.config,
    status: statusOf(run),
    lost: lostOf([run, ...folded.flatMap((id) => infos.get(id) ?? [])]),
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
  sources.set(facts, made);
  return facts;
}

/** The earliest; metrics of folded runs are those of the run. */
function lostOf(runs: readonly RunInfo[]): Lost | null {
  const ends = runs.flatMap(({ nonfinite_end: end }) => end ?? []);
  const [first] = ends.toSorted((a, b) => a.step - b.step);
  if (!first) return null;
  return { ...first, value: Number(first.value), tags: ends.reduce((sum, { tags }) => sum + tags, 0) };
}

export function shownStatus({ status, lost }: Pick<RunFacts, "status" | "lost">): ShownStatus {
  return lost !== null && (status === "finished" || status === "idle") ? "diverged" : status;
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

/** What facts were made of. */
const sources = new WeakMap<RunFacts, readonly object[]>();

/** Files that grow are a run that goes on: some writers say "success" together with the hyper-parameters. */
export function statusOf({ outcome, status }: Pick<RunInfo, "outcome" | "status">): RunStatus {
  if (outcome === "failure") return "failed";
  if (status === "live") return "running";
  return outcome === "success" ? "finished" : "idle";
}
