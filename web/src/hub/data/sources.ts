/** Sources as drafts in the editor, as requests, and as responses. Pure. */

import type { SourceRequest, SourceResponse } from "../../api/hub-schema.gen";

export const SOURCE_KINDS = ["dataset", "storage", "uri", "path"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export interface Draft {
  /** A unique key for rows of the editor. */
  key: number;
  kind: SourceKind;
  /** The name of a dataset. */
  dataset: string;
  /** The path below a dataset or the storage, a URI, or a folder. */
  path: string;
  alias: string;
  include: string;
  exclude: string;
  /** Where `lightboard exec` shows it; not edited here. */
  target: string;
}

let lastKey = 0;

export function newDraft(kind: SourceKind): Draft {
  return { key: ++lastKey, kind, dataset: "", path: "", alias: "", include: "", exclude: "", target: "" };
}

export function draftOf(source: SourceResponse): Draft {
  const draft = newDraft(source.kind);
  return {
    ...draft,
    dataset: source.dataset ?? "",
    path: source.kind === "storage" ? source.text.replace(/^storage:/, "") : source.path || source.text,
    alias: source.alias,
    include: source.include,
    exclude: source.exclude,
    target: source.target,
    ...(source.kind === "dataset" && { path: source.path }),
  };
}

/** Null while a required field is missing. */
export function requestOf(draft: Draft): SourceRequest | null {
  const path = draft.path.trim();
  const rest = {
    ...(draft.alias.trim() && { alias: draft.alias.trim() }),
    ...(draft.include.trim() && { include: draft.include.trim() }),
    ...(draft.exclude.trim() && { exclude: draft.exclude.trim() }),
    ...(draft.target && { target: draft.target }),
  };
  if (draft.kind === "dataset") return draft.dataset ? { dataset: draft.dataset, path, ...rest } : null;
  // The root of the storage is a valid source, an empty field is not.
  if (path === "") return null;
  if (draft.kind === "storage")
    return { uri: path.startsWith("storage:") ? path : `storage:${path}`, ...rest };
  return { uri: path, ...rest };
}

/** The requests of all drafts; null while one is incomplete. */
export function requestsOf(drafts: readonly Draft[]): SourceRequest[] | null {
  const questions = drafts.map(requestOf);
  return questions.every((each) => each !== null) && questions.length > 0 ? questions : null;
}

/** Suggests a name from the last part of the first path. */
export function nameFrom(drafts: readonly Draft[]): string {
  const path = drafts[0]?.path.trim().replace(/^[a-z]+:/, "") ?? "";
  return path.split("/").findLast((part) => part !== "") ?? drafts[0]?.dataset ?? "";
}
