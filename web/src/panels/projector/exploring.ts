/** What somebody does with the points and no address tells: what is selected, looked at, left alone. */

import { create } from "zustand";
import type { Tool } from "./gestures";
import { NO_ROWS, type Rows } from "./rows";

export type Metric = "cosine" | "euclidean";

/** Rows put together by hand. */
export interface Group {
  name: string;
  rows: Rows;
}

export interface Exploring {
  selection: Rows;
  /** The category that is selected as a whole, as the legend shows. */
  category: number | null;
  /** The point whose neighbours are shown. */
  focus: number | null;
  /** Only these are shown; null is all. */
  isolated: Rows | null;
  /** What is isolated is laid out by itself. */
  alone: boolean;
  groups: readonly Group[];
  tool: Tool;
  metric: Metric;
  /** How many neighbours. */
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

export const useExploring = create<Exploring>()(() => ({
  ...FRESH,
  tool: "move",
  metric: "cosine",
  neighbors: 20,
}));

export function explore(patch: Partial<Exploring>): void {
  useExploring.setState(patch);
}

/** Another tensor: its rows are other points. */
export function exploreAnew(): void {
  useExploring.setState(FRESH);
}

/** Selects these rows, of no one category. */
export function select(selection: Rows, category: number | null = null): void {
  useExploring.setState({ selection, category, focus: null });
}

export function letGo(): void {
  select(NO_ROWS);
}
