/** Curves of runs as they are drawn on a card. */

import { useMemo } from "react";
import { colorOf, dashOf } from "../../state/looks";
import type { RunCurve } from "../../state/prcurves";
import { dashLengths, type Shade } from "../../state/slot";
import { useShade } from "../../state/theme";
import { useView } from "../../state/view";
import type { PrMode } from "../../state/viewstate";
import { useWords, type WordId } from "../../words/words";
import type { Given } from "./curve-plot";
import type { DrawnRun } from "./draw";
import { type Domain, domainOf, linesOf } from "./points";

export const AXIS_WORDS: Record<PrMode, { x: WordId; y: WordId }> = {
  pr: { x: "pr.recall", y: "pr.precision" },
  roc: { x: "pr.fpr", y: "pr.tpr" },
  threshold: { x: "pr.threshold", y: "pr.value" },
};

export function drawnRuns(curves: readonly RunCurve[], mode: PrMode, shade: Shade): DrawnRun[] {
  return curves.flatMap(({ look, curve }) => {
    const lines = linesOf(mode, curve);
    if (lines.length === 0) return [];
    return [
      {
        run: look.id,
        label: look.label,
        color: colorOf(look, shade),
        dash: dashLengths(dashOf(look)),
        lines,
        thresholds: curve.thresholds.length,
      },
    ];
  });
}

/** `zoom`: a box somebody drew on this card. */
export function useGiven(curves: readonly RunCurve[], zoom: Domain | null): Given {
  const say = useWords();
  const shade = useShade();
  const mode = useView((view) => view.prMode);
  const isoF1 = useView((view) => view.isoF1);
  const unit = useView((view) => view.unitScale);
  return useMemo(() => {
    const runs = drawnRuns(curves, mode, shade);
    const domain =
      zoom ??
      domainOf(
        runs.flatMap(({ lines }) => lines),
        unit,
      );
    const { x, y } = AXIS_WORDS[mode];
    return { mode, runs, domain, isoF1, xName: say(x), yName: say(y) };
  }, [curves, mode, shade, zoom, unit, isoF1, say]);
}
