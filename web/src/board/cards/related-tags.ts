/** The series that are about a node or scope of a graph, and back: their tags have its name. Pure. */

import { compile } from "../../lib/pattern";

/** Modules as torch names them in graphs: `Linear[out_proj]`. */
const MODULE = /^[A-Za-z_]\w*\[(.+)\]$/;

/** The names that a path stands for in tags. The class of a torch model, which all its paths begin with, is in no tag. */
export function namesIn(path: string): string[] {
  const parts = path.split("/").filter((part) => part !== "");
  const isTorch = parts.some((part) => MODULE.test(part));
  return parts
    .flatMap((part, at) => {
      const name = MODULE.exec(part)?.[1];
      return name ?? (isTorch && at === 0 ? [] : part);
    })
    .flatMap((name) => name.split("."));
}

/**
 * The filter that finds tags of a node or scope, and of what is in it: the names of its path one after another, wherever
 * writers put them, as in `gradients/encoder.layer_0.weight`. Null for the whole graph.
 */
export function tagFilterOf(path: string): string | null {
  const names = namesIn(path);
  if (names.length === 0) return null;
  return `/(^|[/.:])${names.map(escaped).join("[/.]")}($|[/.:])/`;
}

/** The node or scope that a tag is named after: of those that find the tag, the one with the most names. Null if none does. */
export function scopeOf(tag: string, places: readonly { path: string }[]): string | null {
  let found: string | null = null;
  let most = 0;
  for (const { path } of places) {
    const count = namesIn(path).length;
    const filter = count > most ? tagFilterOf(path) : null;
    if (filter === null || !compile(filter).matches(tag)) continue;
    found = path;
    most = count;
  }
  return found;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
