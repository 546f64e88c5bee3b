/** The boxes as a list from top to bottom, with their depth: the outline that keyboards and screen readers use. */

import type { Picture } from "./picture";

export interface OutlineItem {
  /** Index of the box in the picture. */
  at: number;
  level: number;
  /** Its position among the boxes of its scope, from 1, and their number. */
  position: number;
  size: number;
}

export function outlineOf({ boxes }: Picture): readonly OutlineItem[] {
  const inside = new Map<number, number[]>();
  for (const [at, { parent }] of boxes.entries()) {
    const known = inside.get(parent);
    if (known) known.push(at);
    else inside.set(parent, [at]);
  }
  const items: OutlineItem[] = [];
  const add = (scope: number, level: number) => {
    const children = [...(inside.get(scope) ?? [])].sort((a, b) => inReadingOrder(boxes[a]!, boxes[b]!));
    for (const [place, at] of children.entries()) {
      items.push({ at, level, position: place + 1, size: children.length });
      add(at, level + 1);
    }
  };
  add(-1, 1);
  return items;
}

type Placed = Picture["boxes"][number];

/** What is set aside comes last. */
function inReadingOrder(a: Placed, b: Placed): number {
  return Number(a.aside) - Number(b.aside) || a.rect.y - b.rect.y || a.rect.x - b.rect.x;
}
