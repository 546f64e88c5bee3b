/**
 * State that follows the pointer and is shared by all cards: the cursor and the highlighted run. Charts subscribe to
 * it directly, so that moving the pointer renders nothing in React.
 */

import { create } from "zustand";

export interface Cursor {
  /** In units of the page's x axis: a step, or seconds. */
  x: number;
  /** The step at x, if known; other axes and other cards find the position by it. */
  step: number | null;
  /** The card under the pointer. */
  tag: string;
}

export interface Interaction {
  cursor: Cursor | null;
  /** Run under the pointer, on a chart or in the table. */
  hoveredRun: number | null;
  /** The run kept in front by a click on its name. */
  heldRun: number | null;
  /** The source of the hover: a chart scrolls the row into view, the table does not scroll itself. */
  source: "chart" | "table" | null;
}

export const useInteraction = create<Interaction>()(() => ({
  cursor: null,
  hoveredRun: null,
  heldRun: null,
  source: null,
}));

/** The run in front of the others: the hovered one, otherwise the held one. */
export function highlighted(interaction: Interaction): number | null {
  return interaction.hoveredRun ?? interaction.heldRun;
}

export function hover(run: number | null, source: "chart" | "table"): void {
  const interaction = useInteraction.getState();
  if (interaction.hoveredRun !== run)
    useInteraction.setState({ hoveredRun: run, source: run === null ? null : source });
}

export function moveCursor(cursor: Cursor | null): void {
  useInteraction.setState({ cursor });
}

/** Keeps a run in front; calling it again for the same run releases it. */
export function toggleHeldRun(run: number | null): void {
  const { heldRun } = useInteraction.getState();
  useInteraction.setState({ heldRun: heldRun === run ? null : run });
}
