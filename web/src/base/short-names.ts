/** Names of tags that stand together: what they share is said once. Pure. */

export interface ShortNames {
  /** What all have in common: "loss" of "train/loss" and "eval/loss"; empty if nothing. */
  common: string;
  /** What tells each from the others, in their order. */
  each: readonly string[];
}

export function shortNames(tags: readonly string[]): ShortNames {
  const paths = tags.map((tag) => tag.split("/"));
  const head = sharedParts(paths);
  const tail = sharedParts(paths.map((path) => path.slice(head).reverse()));
  const rests = paths.map((path) => path.slice(head, path.length - tail).join("/"));
  const telling = rests.every((rest) => rest !== "") && new Set(rests).size === rests.length;
  if (!telling || tags.length === 0) return { common: "", each: tags };
  const first = paths[0]!;
  return { common: [...first.slice(0, head), ...first.slice(first.length - tail)].join("/"), each: rests };
}

/** How many parts all paths begin with. */
function sharedParts(paths: readonly (readonly string[])[]): number {
  const [first, ...others] = paths;
  if (!first) return 0;
  const shortest = Math.min(...paths.map((path) => path.length));
  let shared = 0;
  while (shared < shortest - 1 && others.every((path) => path[shared] === first[shared])) shared += 1;
  return shared;
}
