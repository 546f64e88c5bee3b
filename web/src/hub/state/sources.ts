/** Places with logs as they are typed, as they are asked for, and as they are shown. Pure. */

import type { SourceAnswer, SourceQuestion } from "../../api/hub/schema.gen";

export const SOURCE_KINDS = ["dataset", "storage", "uri", "path"] as const;
export type SourceKind = (typeof SOURCE_KINDS)[number];

export interface Draft {
  /** Tells rows of an editor apart. */
  key: number;
  kind: SourceKind;
  /** Of a dataset. */
  dataset: string;
  /** Below a dataset or the storage, the whole URI, or the whole folder. */
  path: string;
  alias: string;
  include: string;
  exclude: string;
}

let made = 0;

export function newDraft(kind: SourceKind): Draft {
  return { key: ++made, kind, dataset: "", path: "", alias: "", include: "", exclude: "" };
}

export function draftOf(source: SourceAnswer): Draft {
  const draft = newDraft(source.kind);
  return {
    ...draft,
    dataset: source.dataset ?? "",
    path: source.kind === "storage" ? source.text.replace(/^storage:/, "") : source.path || source.text,
    alias: source.alias,
    include: source.include,
    exclude: source.exclude,
    ...(source.kind === "dataset" && { path: source.path }),
  };
}

/** Null while something that it needs is missing. */
export function questionOf(draft: Draft): SourceQuestion | null {
  const path = draft.path.trim();
  const rest = {
    ...(draft.alias.trim() && { alias: draft.alias.trim() }),
    ...(draft.include.trim() && { include: draft.include.trim() }),
    ...(draft.exclude.trim() && { exclude: draft.exclude.trim() }),
  };
  if (draft.kind === "dataset") return draft.dataset ? { dataset: draft.dataset, path, ...rest } : null;
  // The root of the storage is a place as well; nothing typed is none.
  if (path === "") return null;
  if (draft.kind === "storage")
    return { uri: path.startsWith("storage:") ? path : `storage:${path}`, ...rest };
  return { uri: path, ...rest };
}

/** All of them, or null while one is not ready. */
export function questionsOf(drafts: readonly Draft[]): SourceQuestion[] | null {
  const questions = drafts.map(questionOf);
  return questions.every((each) => each !== null) && questions.length > 0 ? questions : null;
}

/** A name out of the last part of the first path, as one would call it. */
export function nameFrom(drafts: readonly Draft[]): string {
  const path = drafts[0]?.path.trim().replace(/^[a-z]+:/, "") ?? "";
  return path.split("/").findLast((part) => part !== "") ?? drafts[0]?.dataset ?? "";
}
