/** Annotations of the runs of this board: fetched and edited. */

import { getJson, patchJson } from "./client";

/** Annotation of one run; absent fields are not set. */
export interface RunAnnotation {
  display_name?: string;
  /** Markdown source. */
  note?: string;
  hidden?: boolean;
  archived?: boolean;
  /** A slot of the palette, or "#rrggbb". */
  color?: number | string;
  tags?: string[];
}

export interface SavedView {
  /** From the question mark on, so that it does not depend on the host. */
  address: string;
  /** Epoch seconds. */
  saved: number;
  note?: string;
}

export interface Annotations {
  revision: number;
  /** Whether the server accepts edits. */
  writable: boolean;
  /** Name of the file with the annotations. */
  path_hint: string;
  runs: Record<string, RunAnnotation>;
  views: Record<string, SavedView>;
}

type Edits<Entry> = { [Key in keyof Entry]?: Entry[Key] | null };

/** Fields of entries by name; null removes a field or a whole entry. */
export interface AnnotationsEdit {
  runs?: Record<string, Edits<RunAnnotation> | null>;
  views?: Record<string, Edits<SavedView> | null>;
}

export const fetchAnnotations = (signal?: AbortSignal) => getJson<Annotations>("overlay", signal);
export const patchAnnotations = (edit: AnnotationsEdit) => patchJson<Annotations>("overlay", edit);
