/** Places boxes in ranks, from top to bottom along their links: what a layout library does. */

import type { Point, Size } from "./shapes";

export interface Link {
  source: number;
  target: number;
  /** The size of its label; null for none. */
  label: Size | null;
  /** Takes part in the order of ranks only. */
  hidden?: boolean;
}

export interface Arrangement {
  size: Size;
  /** The middle of each box. */
  boxes: readonly Point[];
  /** Points that each link passes, without its ends; empty if it is hidden. */
  links: readonly (readonly Point[])[];
  /** The middle of each label. */
  labels: readonly (Point | null)[];
}

export type Arrange = (boxes: readonly Size[], links: readonly Link[]) => Arrangement;
