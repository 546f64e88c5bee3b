/** State of the projector that is not in the address: selection, focused point, isolated points. */

import { create } from "zustand";
import type { Tool } from "../../lib/gestures";
import { NO_ROWS, type Rows } from "./rows";

export type Metric = "cosine" | "euclidean";

/** A group that the user made. */
export interface Group {
  name: string;
  rows: Rows;
}

export interface Exploration {
  selection: Rows;
  /** The category that is selected as a whole, for the legend. */
  category: number | null;
  /** The point whose neighbours are shown. */
  focus: number | null;
  /** Only these rows are shown; null shows all. */
  isolated: Rows | null;
  /** Isolated rows are laid out separately. */
  alone: boolean;
  groups: readonly Group[];
  tool: Tool;
  metric: Metric;
  /** The number of neighbours. */
  neighbors: number;
  hovered: { row: number; x: number; y: number } | null;
}

const FRESH = {
  selection: NO_ROWS,
  category: null,
  focus: null,
  isolated: null,
  alone: false,
  groups: [],
  hovered: null,
} as const;

export const useExploration = create<Exploration>()(() => ({
  ...FRESH,
  tool: "move",
  metric: "cosine",
  neighbors: 20,
}));

export function updateExploration(patch: Partial<Exploration>): void {
  useExploration.setState(patch);
}

/** Resets everything for another tensor, whose rows are other points. */
export function resetExploration(): void {
  useExploration.setState(FRESH);
}

/** Selects rows, of no single category by default. */
export function select(selection: Rows, category: number | null = null): void {
  useExploration.setState({ selection, category, focus: null });
}

export function clearSelection(): void {
  select(NO_ROWS);
}
