/** The series that are about a node or scope of a graph, and back: their tags have its name. Pure. */

import { compile } from "../../lib/pattern";
import { namesIn } from "../../lib/scope-names";

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
