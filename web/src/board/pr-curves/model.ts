/** Curves of runs as they are drawn on a card. */

import { useMemo } from "react";
import { useWords, type WordId } from "../../i18n/words";
import { colorOf, dashOf } from "../runs/line-styles";
import { type ColorScheme, dashLengths } from "../runs/slot";
import { useColorScheme } from "../view/theme";
import { useView } from "../view/view";
import type { PrMode } from "../view/view-state";
import type { CurveOptions } from "./curve-plot";
import type { DrawnRun } from "./draw";
import { type Domain, domainOf, linesOf } from "./points";
import type { RunCurve } from "./pr-curves";

export const AXIS_WORDS: Record<PrMode, { x: WordId; y: WordId }> = {
  pr: { x: "pr.recall", y: "pr.precision" },
  roc: { x: "pr.fpr", y: "pr.tpr" },
  threshold: { x: "pr.threshold", y: "pr.value" },
};

export function drawnRuns(curves: readonly RunCurve[], mode: PrMode, scheme: ColorScheme): DrawnRun[] {
  return curves.flatMap(({ lineStyle, curve }) => {
    const lines = linesOf(mode, curve);
    if (lines.length === 0) return [];
    return [
      {
        run: lineStyle.id,
        label: lineStyle.label,
        color: colorOf(lineStyle, scheme),
        dash: dashLengths(dashOf(lineStyle)),
        lines,
        thresholds: curve.thresholds.length,
      },
    ];
  });
}

/** `zoom`: a box that the user selected on this card. */
export function useCurveOptions(curves: readonly RunCurve[], zoom: Domain | null): CurveOptions {
  const say = useWords();
  const scheme = useColorScheme();
  const mode = useView((view) => view.prMode);
  const isoF1 = useView((view) => view.isoF1);
  const unit = useView((view) => view.unitScale);
  return useMemo(() => {
    const runs = drawnRuns(curves, mode, scheme);
    const domain =
      zoom ??
      domainOf(
        runs.flatMap(({ lines }) => lines),
        unit,
      );
    const { x, y } = AXIS_WORDS[mode];
    return { mode, runs, domain, isoF1, xName: say(x), yName: say(y) };
  }, [curves, mode, scheme, zoom, unit, isoF1, say]);
}
