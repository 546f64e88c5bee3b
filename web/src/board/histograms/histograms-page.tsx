/** Histograms and distributions over the steps, by tag, with runs side by side. */

import { useMemo } from "react";
import { useWords } from "../../i18n/words";
import { Select } from "../../ui/select";
import { KindPage } from "../cards/kind-page";
import { useKindSteps, useKindStyles } from "../cards/kind-steps";
import { useKindTags, useLineStylesForTag } from "../runs/kind-tags";
import { usePageStep } from "../view/steps";
import { useView } from "../view/view";
import type { Axis } from "../view/view-state";
import { chooseAxis } from "../view/zoom";
import { HistogramCard } from "./histogram-card";
import { ModeChoice, ValueChoices } from "./tools";

const KIND = "histograms";
const AXES = ["step", "relative", "wall"] as const;
const CARD_PX = 268;
/** Minimum widths of a card whose tags have one run, and two. */
const ALONE_PX = 340;
const PAIR_PX = 600;

export default function HistogramsPage() {
  // Arrow keys move over these steps, wherever the focus is.
  usePageStep(useKindSteps(KIND, useKindStyles(KIND)));
  const widest = useMostRuns();
  const cardPx = widest > 2 ? 0 : widest === 2 ? PAIR_PX : ALONE_PX;
  return (
    <KindPage kind={KIND} tools={<Tools />} height={CARD_PX} cardPx={cardPx}>
      {({ tag, runs }) => <HistogramCard tag={tag} runs={runs} roomy />}
    </KindPage>
  );
}

function Tools() {
  return (
    <>
      <ModeChoice />
      <ValueChoices />
      <AxisChoice />
    </>
  );
}

/** Another tag cannot be the axis of histograms, which exist at steps. */
function AxisChoice() {
  const say = useWords();
  const axis = useView((view) => (view.axis === "tag" ? "step" : view.axis));
  return (
    <Select
      label={say("axis.label")}
      value={axis}
      options={AXES.map((value) => ({ value, label: say(`axis.${value}`) }))}
      onChange={(value) => chooseAxis(value as Axis)}
    />
  );
}

/** Maximum number of runs of a tag. */
function useMostRuns(): number {
  const { tags } = useKindTags(KIND);
  const runsOn = useLineStylesForTag();
  return useMemo(() => tags.reduce((most, tag) => Math.max(most, runsOn(tag).length), 0), [tags, runsOn]);
}
