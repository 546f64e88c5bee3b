/** From a step of a capture to the charts of its run, where it is pinned. Shown only if the run has logged scalars. */

import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { useRuns, useTags } from "../data/lists";
import { commit } from "../view/view";
import { DEFAULT_PAGE, type Span } from "../view/view-state";
import type { ProfileStep } from "./profiles";

interface StepOnChartsProps {
  /** The name of the run of the capture; empty if it has none. */
  run: string;
  /** Those that are inferred have numbers of their own, which charts do not know. */
  step: Pick<ProfileStep, "step" | "inferred">;
}

export function StepOnCharts({ run, step: { step, inferred } }: StepOnChartsProps) {
  const say = useWords();
  if (!useHasCharts(run) || inferred) return null;
  return (
    <Button
      size="small"
      variant="quiet"
      onClick={() => commit({ page: DEFAULT_PAGE, subject: "", pin: { run, step }, range: null })}
    >
      {say("profile.stepOnCharts", { step })}
    </Button>
  );
}

/** Whether a run has scalars. */
export function useHasCharts(run: string): boolean {
  const id = useRuns().find(({ name }) => name === run)?.id;
  const tags = useTags();
  return id !== undefined && tags.some(({ runs }) => runs.includes(id));
}

/** The step that takes most of a window and its middle; undefined if none does. */
export function stepIn(steps: readonly ProfileStep[], [begin, end]: Span): ProfileStep | undefined {
  const middle = (begin + end) / 2;
  return steps.find(
    ({ start_us, duration_us }) =>
      start_us <= middle && middle <= start_us + duration_us && duration_us >= (end - begin) / 2,
  );
}
