/** The drawing options of a card: its own settings over those of the page. */

import { useMemo } from "react";
import { type CardChoice, useChoice } from "../view/cards";
import { useView } from "../view/view";
import type { PlotOptions } from "./plot";

/** `base`: the baseline run of the page, whether this card shows differences or not. */
export function usePlotOptions(tag: string, labels = false): PlotOptions & { base: string | null } {
  const choice: CardChoice = useChoice(tag);
  const logY = useView((view) => view.logY);
  const logX = useView((view) => view.logX);
  const ignoreOutliers = useView((view) => view.ignoreOutliers);
  const baseline = useView((view) => view.baseline);
  return useMemo(
    () => ({
      logY: choice.logY ?? logY,
      logX: choice.logX ?? logX,
      ignoreOutliers: choice.ignoreOutliers ?? ignoreOutliers,
      smoothing: choice.smoothing ?? null,
      y: choice.y ?? null,
      baseline: choice.baseline ? baseline : null,
      labels,
      base: baseline,
    }),
    [choice, logY, logX, ignoreOutliers, baseline, labels],
  );
}
