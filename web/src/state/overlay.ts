/**
 * What people added to runs: names, notes, colours, hidden and archived ones, saved views. Edits show at once; if the
 * server refuses, they are taken back and it is said why. Where nothing can be written, this browser keeps them.
 */

import { create } from "zustand";
import { ApiError } from "../api/client";
import {
  askOverlay,
  editOverlay,
  type Overlay,
  type OverlayEdit,
  type RunNote,
  type SavedView,
} from "../api/overlay";
import { record } from "./history";
import { queries, statusQuery } from "./lists";
import { notify } from "./notice";
import { type Added, edited, inverse } from "./overlayedit";

export type { OverlayEdit, RunNote, SavedView };

/** Where edits go: a file of the server, this browser alone, or nowhere yet. */
export type OverlayPlace = "unknown" | "server" | "browser";

export interface OverlayState extends Added {
  place: OverlayPlace;
  revision: number;
  /** Name of the server's file. */
  pathHint: string;
  /** Why the last edit was taken back; empty if it was not. */
  fault: string;
}

const START: OverlayState = {
  place: "unknown",
  revision: -1,
  pathHint: "",
  fault: "",
  runs: {},
  views: {},
};

export const useOverlay = create<OverlayState>()(() => START);

/** What the server is known to hold, and the edits that are on the way to it. */
let held: Added = { runs: {}, views: {} };
let waiting: OverlayEdit[] = [];
let sending: Promise<void> = Promise.resolve();
let loading: Promise<void> = Promise.resolve();
/** Kept in this browser, over what the server holds. */
let local: OverlayEdit = {};

const EMPTY_NOTE: RunNote = {};

/** What a run was given. Stable as long as nothing changes. */
export function noteOf({ runs }: Added, name: string): RunNote {
  return Object.hasOwn(runs, name) ? runs[name]! : EMPTY_NOTE;
}

export function useNote(name: string): RunNote {
  return useOverlay((overlay) => noteOf(overlay, name));
}

/** Asks for everything; a server that has no such route leaves the page as it is. */
export function loadOverlay(): Promise<void> {
  loading = load();
  return loading;
}

async function load(): Promise<void> {
  try {
    take(await askOverlay());
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.unreachable) return;
    useOverlay.setState({ place: "browser" });
  }
  if (useOverlay.getState().place === "browser") await loadHere();
  show();
}

/** The server says that somebody edited. */
export function overlayMoved(revision: number): void {
  if (revision !== useOverlay.getState().revision) void loadOverlay();
}

/** Edits, as a step that can be undone. */
export function edit(change: OverlayEdit): void {
  const back = inverse(useOverlay.getState(), change);
  apply(change);
  record({ undo: () => apply(back), redo: () => apply(change) });
  const aside = Object.values(change.runs ?? {}).filter((run) => run?.hidden || run?.archived).length;
  if (aside > 0) notify("notice.aside", { count: aside }, { undo: true });
}

/** Edits one run. */
export function editRun(
  name: string,
  fields: Partial<{ [Key in keyof RunNote]: RunNote[Key] | null }>,
): void {
  edit({ runs: { [name]: fields } });
}

export function forgetFault(): void {
  useOverlay.setState({ fault: "" });
}

function apply(change: OverlayEdit): void {
  if (useOverlay.getState().place === "browser") {
    addHere(change);
    return;
  }
  waiting = [...waiting, change];
  show();
  sending = sending.then(() => send(change));
}

/** One after the other: the last edit of a field must be the last to arrive. */
async function send(change: OverlayEdit): Promise<void> {
  // Edits made before the first answer go where it says.
  await loading;
  if (useOverlay.getState().place === "browser") {
    waiting = waiting.filter((each) => each !== change);
    addHere(change);
    return;
  }
  try {
    const answer = await editOverlay(change);
    waiting = waiting.filter((each) => each !== change);
    take(answer);
  } catch (fault) {
    waiting = waiting.filter((each) => each !== change);
    show();
    useOverlay.setState({ fault: fault instanceof Error ? faultText(fault) : String(fault) });
  }
}

function faultText(fault: Error): string {
  return fault instanceof ApiError && fault.hint !== "" ? `${fault.message} · ${fault.hint}` : fault.message;
}

function take({ revision, writable, path_hint, runs, views }: Overlay): void {
  held = { runs, views };
  useOverlay.setState({ revision, place: writable ? "server" : "browser", pathHint: path_hint });
  show();
}

/** What is held with everything on the way put over it. */
function show(): void {
  const before = useOverlay.getState();
  const over = before.place === "browser" ? [local, ...waiting] : waiting;
  const { runs, views } = over.reduce(edited, held);
  useOverlay.setState({ runs: same(before.runs, runs), views: same(before.views, views) });
}

/** The object of before where it says the same, entry by entry: notes of 10,000 runs are compared by identity. */
function same<Entries extends Record<string, unknown>>(before: Entries, after: Entries): Entries {
  if (before === after) return before;
  let changed = Object.keys(before).length !== Object.keys(after).length;
  const next: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(after)) {
    const was = Object.hasOwn(before, name) ? before[name] : undefined;
    const equal = JSON.stringify(was) === JSON.stringify(entry);
    next[name] = equal ? was : entry;
    changed ||= !equal;
  }
  return changed ? (next as Entries) : before;
}

/** Two edits as one, the second over the first. */
function joined(first: OverlayEdit, second: OverlayEdit): OverlayEdit {
  return {
    runs: over(first.runs ?? {}, second.runs ?? {}),
    views: over(first.views ?? {}, second.views ?? {}),
  };
}

function over<Entry extends object>(
  first: Record<string, Entry | null>,
  second: Record<string, Entry | null>,
): Record<string, Entry | null> {
  const both = { ...first };
  for (const [name, fields] of Object.entries(second)) {
    both[name] = fields === null ? null : ({ ...(both[name] ?? {}), ...fields } as Entry);
  }
  return both;
}

/** Boards of one address may show one folder today and another tomorrow; empty until it is known which. */
let key = "";

/** Reads what this browser keeps, once; what was added meanwhile is put over it. */
async function loadHere(): Promise<void> {
  if (key !== "") return;
  const status = await queries.ensureQueryData(statusQuery).catch(() => null);
  if (status === null) return;
  key = `lightboard.overlay:${status.logdir}`;
  const added = local;
  local = joined(keptHere(), added);
  if (Object.keys(added).length > 0) keepHere();
}

function addHere(change: OverlayEdit): void {
  local = joined(local, change);
  keepHere();
  show();
}

function keptHere(): OverlayEdit {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as OverlayEdit;
  } catch {
    return {};
  }
}

function keepHere(): void {
  if (key === "") return;
  try {
    localStorage.setItem(key, JSON.stringify(local));
  } catch {
    // Storage may be forbidden; the edits then last as long as the page.
  }
}
