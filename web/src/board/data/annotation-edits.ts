/** Applies edits of annotations, and computes their inverse. Pure. */

import type { Annotations, AnnotationsEdit } from "../../api/annotations";

export type AnnotationEntries = Pick<Annotations, "runs" | "views">;
type Entry = Record<string, unknown>;
type Entries = Record<string, Entry>;
type Edit = Record<string, Entry | null>;

/** The entries after an edit. Empty fields and entries are removed. */
export function applyEdit({ runs, views }: AnnotationEntries, edit: AnnotationsEdit): AnnotationEntries {
  return {
    runs: mergeEntries(runs as unknown as Entries, (edit.runs ?? {}) as Edit) as AnnotationEntries["runs"],
    views: mergeEntries(
      views as unknown as Entries,
      (edit.views ?? {}) as Edit,
    ) as unknown as AnnotationEntries["views"],
  };
}

/** The edit that undoes `edit`. */
export function inverseEdit({ runs, views }: AnnotationEntries, edit: AnnotationsEdit): AnnotationsEdit {
  return {
    ...(edit.runs && {
      runs: inverseOf(runs as unknown as Entries, edit.runs as Edit) as AnnotationsEdit["runs"] & object,
    }),
    ...(edit.views && {
      views: inverseOf(views as unknown as Entries, edit.views as Edit) as AnnotationsEdit["views"] & object,
    }),
  };
}

/** Returns the same object if nothing changes, so that nothing renders again. */
function mergeEntries(entries: Entries, edit: Edit): Entries {
  const next = { ...entries };
  for (const [name, fields] of Object.entries(edit)) {
    const entry = fields === null ? {} : { ...ownEntry(next, name), ...fields };
    const filled = Object.entries(entry).filter(([, value]) => isFilled(value));
    if (filled.length > 0) next[name] = Object.fromEntries(filled);
    else delete next[name];
  }
  return JSON.stringify(next) === JSON.stringify(entries) ? entries : next;
}

function inverseOf(entries: Entries, edit: Edit): Edit {
  return Object.fromEntries(
    Object.entries(edit).map(([name, fields]) => {
      const before = ownEntry(entries, name);
      if (before === undefined) return [name, null];
      const touched = fields === null ? Object.keys(before) : Object.keys(fields);
      return [name, Object.fromEntries(touched.map((key) => [key, before[key] ?? null]))];
    }),
  );
}

/** Names are arbitrary: one may be "constructor". */
function ownEntry(entries: Entries, name: string): Entry | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

function isFilled(value: unknown): boolean {
  return !(
    value === null ||
    value === undefined ||
    value === false ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  );
}
