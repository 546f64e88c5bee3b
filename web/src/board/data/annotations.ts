/**
 * Annotations of runs: names, notes, colours, hidden and archived runs, saved views. Edits show at once; if the
 * server rejects one, it is reverted and the reason is shown. On a read-only server this browser stores them.
 */

import { create } from "zustand";
import {
  type Annotations,
  type AnnotationsEdit,
  fetchAnnotations,
  patchAnnotations,
  type RunAnnotation,
  type SavedView,
} from "../../api/annotations";
import { ApiError } from "../../api/client";
import { pushUndoStep } from "../../lib/undo-stack";
import { notify } from "../view/notice";
import { type AnnotationEntries, applyEdit, inverseEdit } from "./annotation-edits";
import { queries, statusQuery } from "./lists";

export type { AnnotationsEdit, RunAnnotation, SavedView };

/** Where annotations are stored: on the server, in this browser, or not known yet. */
export type AnnotationStorage = "unknown" | "server" | "browser";

export interface AnnotationsState extends AnnotationEntries {
  storage: AnnotationStorage;
  revision: number;
  /** Name of the file on the server. */
  pathHint: string;
  /** Why the last edit was reverted; empty if it was not. */
  fault: string;
}

const START: AnnotationsState = {
  storage: "unknown",
  revision: -1,
  pathHint: "",
  fault: "",
  runs: {},
  views: {},
};

export const useAnnotations = create<AnnotationsState>()(() => START);

/** The annotations that the server confirmed, and the edits in flight. */
let confirmed: AnnotationEntries = { runs: {}, views: {} };
let pending: AnnotationsEdit[] = [];
let sending: Promise<void> = Promise.resolve();
let loading: Promise<void> = Promise.resolve();
/** Stored in this browser, applied over the server's annotations. */
let local: AnnotationsEdit = {};

const NO_ANNOTATION: RunAnnotation = {};

/** The annotation of a run. The same object until it changes. */
export function annotationOf({ runs }: AnnotationEntries, name: string): RunAnnotation {
  return Object.hasOwn(runs, name) ? runs[name]! : NO_ANNOTATION;
}

export function useAnnotation(name: string): RunAnnotation {
  return useAnnotations((annotations) => annotationOf(annotations, name));
}

/** Loads all annotations; a server without the route leaves the page as it is. */
export function loadAnnotations(): Promise<void> {
  loading = load();
  return loading;
}

async function load(): Promise<void> {
  try {
    applyResponse(await fetchAnnotations());
  } catch (fault) {
    if (!(fault instanceof ApiError) || fault.unreachable) return;
    useAnnotations.setState({ storage: "browser" });
  }
  if (useAnnotations.getState().storage === "browser") await loadLocal();
  publish();
}

/** Called when the server reports a new revision. */
export function annotationsChanged(revision: number): void {
  if (revision !== useAnnotations.getState().revision) void loadAnnotations();
}

/** Applies an edit as an undoable step. */
export function editAnnotations(change: AnnotationsEdit): void {
  const back = inverseEdit(useAnnotations.getState(), change);
  apply(change);
  pushUndoStep({ undo: () => apply(back), redo: () => apply(change) });
  const hiddenCount = Object.values(change.runs ?? {}).filter((run) => run?.hidden || run?.archived).length;
  if (hiddenCount > 0) notify("notice.aside", { count: hiddenCount }, { undo: true });
}

export function editRunAnnotation(
  name: string,
  fields: Partial<{ [Key in keyof RunAnnotation]: RunAnnotation[Key] | null }>,
): void {
  editAnnotations({ runs: { [name]: fields } });
}

export function clearFault(): void {
  useAnnotations.setState({ fault: "" });
}

function apply(change: AnnotationsEdit): void {
  if (useAnnotations.getState().storage === "browser") {
    addLocally(change);
    return;
  }
  pending = [...pending, change];
  publish();
  sending = sending.then(() => send(change));
}

/** Sends edits one at a time: the last edit of a field must arrive last. */
async function send(change: AnnotationsEdit): Promise<void> {
  // Edits made before the first response go where it says.
  await loading;
  if (useAnnotations.getState().storage === "browser") {
    pending = pending.filter((each) => each !== change);
    addLocally(change);
    return;
  }
  try {
    const answer = await patchAnnotations(change);
    pending = pending.filter((each) => each !== change);
    applyResponse(answer);
  } catch (fault) {
    pending = pending.filter((each) => each !== change);
    publish();
    useAnnotations.setState({ fault: fault instanceof Error ? faultText(fault) : String(fault) });
  }
}

function faultText(fault: Error): string {
  return fault instanceof ApiError && fault.hint !== "" ? `${fault.message} · ${fault.hint}` : fault.message;
}

function applyResponse({ revision, writable, path_hint, runs, views }: Annotations): void {
  confirmed = { runs, views };
  useAnnotations.setState({ revision, storage: writable ? "server" : "browser", pathHint: path_hint });
  publish();
}

/** Publishes the confirmed annotations with the pending edits applied. */
function publish(): void {
  const before = useAnnotations.getState();
  const edits = before.storage === "browser" ? [local, ...pending] : pending;
  const { runs, views } = edits.reduce(applyEdit, confirmed);
  useAnnotations.setState({ runs: reuseEqual(before.runs, runs), views: reuseEqual(before.views, views) });
}

/** Reuses equal entries of `before`, as annotations of 10,000 runs are compared by identity. */
function reuseEqual<Entries extends Record<string, unknown>>(before: Entries, after: Entries): Entries {
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

/** Merges two edits; the second wins. */
function mergeEdits(first: AnnotationsEdit, second: AnnotationsEdit): AnnotationsEdit {
  return {
    runs: mergeEntries(first.runs ?? {}, second.runs ?? {}),
    views: mergeEntries(first.views ?? {}, second.views ?? {}),
  };
}

function mergeEntries<Entry extends object>(
  first: Record<string, Entry | null>,
  second: Record<string, Entry | null>,
): Record<string, Entry | null> {
  const both = { ...first };
  for (const [name, fields] of Object.entries(second)) {
    both[name] = fields === null ? null : ({ ...(both[name] ?? {}), ...fields } as Entry);
  }
  return both;
}

/**
 * The key in localStorage, with the logdir in it: one address may show different folders over time. Empty until
 * known.
 */
let storageKey = "";

/** Loads the stored edits once; edits made in the meantime are applied over them. */
async function loadLocal(): Promise<void> {
  if (storageKey !== "") return;
  const status = await queries.ensureQueryData(statusQuery).catch(() => null);
  if (status === null) return;
  storageKey = `lightboard.overlay:${status.logdir}`;
  const added = local;
  local = mergeEdits(localEdits(), added);
  if (Object.keys(added).length > 0) storeLocally();
}

function addLocally(change: AnnotationsEdit): void {
  local = mergeEdits(local, change);
  storeLocally();
  publish();
}

function localEdits(): AnnotationsEdit {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? "{}") as AnnotationsEdit;
  } catch {
    return {};
  }
}

function storeLocally(): void {
  if (storageKey === "") return;
  try {
    localStorage.setItem(storageKey, JSON.stringify(local));
  } catch {
    // Storage may be forbidden; the edits then last as long as the page.
  }
}
