/** Edits of what people added to runs: what they make of it, and the edit that takes them back. Pure. */

import type { Overlay, OverlayEdit } from "../api/overlay";

export type Added = Pick<Overlay, "runs" | "views">;
type Entry = Record<string, unknown>;
type Entries = Record<string, Entry>;
type Edit = Record<string, Entry | null>;

/** `added` after an edit. Fields and entries that say nothing are removed. */
export function edited({ runs, views }: Added, edit: OverlayEdit): Added {
  return {
    runs: merged(runs as unknown as Entries, (edit.runs ?? {}) as Edit) as Added["runs"],
    views: merged(views as unknown as Entries, (edit.views ?? {}) as Edit) as unknown as Added["views"],
  };
}

/** The edit that brings back what `edit` is about to change. */
export function inverse({ runs, views }: Added, edit: OverlayEdit): OverlayEdit {
  return {
    ...(edit.runs && {
      runs: reverted(runs as unknown as Entries, edit.runs as Edit) as OverlayEdit["runs"] & object,
    }),
    ...(edit.views && {
      views: reverted(views as unknown as Entries, edit.views as Edit) as OverlayEdit["views"] & object,
    }),
  };
}

/** The same object where nothing changes, so that nothing is drawn again. */
function merged(entries: Entries, edit: Edit): Entries {
  const next = { ...entries };
  for (const [name, fields] of Object.entries(edit)) {
    const entry = fields === null ? {} : { ...own(next, name), ...fields };
    const said = Object.entries(entry).filter(([, value]) => saysSomething(value));
    if (said.length > 0) next[name] = Object.fromEntries(said);
    else delete next[name];
  }
  return JSON.stringify(next) === JSON.stringify(entries) ? entries : next;
}

function reverted(entries: Entries, edit: Edit): Edit {
  return Object.fromEntries(
    Object.entries(edit).map(([name, fields]) => {
      const before = own(entries, name);
      if (before === undefined) return [name, null];
      const touched = fields === null ? Object.keys(before) : Object.keys(fields);
      return [name, Object.fromEntries(touched.map((key) => [key, before[key] ?? null]))];
    }),
  );
}

/** Names are data: "constructor" may be one. */
function own(entries: Entries, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

function saysSomething(value: unknown): boolean {
  return !(
    value === null ||
    value === undefined ||
    value === false ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}
