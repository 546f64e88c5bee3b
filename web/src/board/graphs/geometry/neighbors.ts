/** What a box is connected to: its lines, and the boxes at their other ends, also those in other scopes. */

import { liesIn, type Picture, placeOf } from "./picture";

export interface Neighbors {
  inputs: ReadonlySet<number>;
  outputs: ReadonlySet<number>;
  /** Indices of the lines of the box within its scope. */
  wires: ReadonlySet<number>;
  /** Boxes of other scopes, as far as they are known. */
  far: readonly { box: number; incoming: boolean }[];
}

export const NO_NEIGHBORS: Neighbors = { inputs: new Set(), outputs: new Set(), wires: new Set(), far: [] };

export function neighborsOf(picture: Picture, box: number): Neighbors {
  const found = picture.boxes[box];
  if (!found) return NO_NEIGHBORS;
  const [inputs, outputs, wires] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const [at, { source, target }] of picture.wires.entries()) {
    if (source !== box && target !== box) continue;
    wires.add(at);
    if (target === box && source >= 0) inputs.add(source);
    if (source === box && target >= 0) outputs.add(target);
  }
  const far = new Map<string, { box: number; incoming: boolean }>();
  for (const { incoming, paths } of found.bridges) {
    for (const path of paths) {
      const end = placeOf(picture, path);
      if (end < 0 || end === box || liesIn(picture, box, end)) continue;
      far.set(`${end} ${incoming}`, { box: end, incoming });
      (incoming ? inputs : outputs).add(end);
    }
  }
  return { inputs, outputs, wires, far: [...far.values()] };
}
