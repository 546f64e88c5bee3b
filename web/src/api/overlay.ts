/** What people added to the runs of this board, asked for and edited. */

import { getJson, patchJson } from "./client";

/** What one run was given; what is absent was not said. */
export interface RunNote {
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
  /** From the question mark on, so that it outlives the host. */
  address: string;
  /** Epoch seconds. */
  saved: number;
  note?: string;
}

export interface Overlay {
  revision: number;
  /** False: edits are refused here. */
  writable: boolean;
  /** Name of the file they are kept in. */
  path_hint: string;
  runs: Record<string, RunNote>;
  views: Record<string, SavedView>;
}

type Edits<Entry> = { [Key in keyof Entry]?: Entry[Key] | null };

/** Fields of entries by name; null removes a field or a whole entry. */
export interface OverlayEdit {
  runs?: Record<string, Edits<RunNote> | null>;
  views?: Record<string, Edits<SavedView> | null>;
}

export const askOverlay = (signal?: AbortSignal) => getJson<Overlay>("overlay", signal);
export const editOverlay = (edit: OverlayEdit) => patchJson<Overlay>("overlay", edit);
