/** PR curves of all visible runs at one step: precision and recall, ROC, or over the thresholds. */

import { Suspense } from "react";
import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { Button } from "../../ui/button";
import { Check } from "../../ui/check";
import { lazyPart } from "../../ui/lazy-part";
import { Segmented } from "../../ui/segmented";
import { KindPage } from "../cards/kind-page";
import { PageStep } from "../cards/page-step";
import { useKindTags, useLineStylesForTag } from "../runs/kind-tags";
import { useFullScreenCard } from "../view/full-screen-card";
import { commit, useView } from "../view/view";
import { ExportMenu } from "./export-menu";
import { PrCard } from "./pr-card";
import { markThreshold, useCurveSteps } from "./pr-curves";
import style from "./pr-curves.module.css";

const FullCurves = lazyPart(() => import("./full-curves"));

const CARD_PX = 340;
const CARD_HEIGHT = 400;

export default function PrCurvesPage() {
  return (
    <>
      <KindPage kind="pr_curves" tools={<Tools />} height={CARD_HEIGHT} cardPx={CARD_PX}>
        {({ tag, runs }) => (
          <PrCard
            tag={tag}
            runs={runs}
            menu={(curves, zoom) => <ExportMenu tag={tag} curves={curves} zoom={zoom} />}
          />
        )}
      </KindPage>
      <FullScreenSlot />
    </>
  );
}

function Tools() {
  return (
    <>
      <PageStep steps={useCurveSteps()} />
      <Modes />
    </>
  );
}

/** How curves are drawn. */
function Modes() {
  const say = useWords();
  const mode = useView((view) => view.prMode);
  const isoF1 = useView((view) => view.isoF1);
  const unit = useView((view) => view.unitScale);
  const threshold = useView((view) => view.threshold);
  return (
    <>
      <Segmented
        label={say("pr.mode")}
        value={mode}
        options={[
          { value: "pr", label: "PR" },
          { value: "roc", label: "ROC" },
          { value: "threshold", label: say("pr.threshold") },
        ]}
        onChange={(next) => commit({ prMode: next })}
      />
      {mode === "pr" && (
        <label className={style.check}>
          <Check checked={isoF1} onChange={() => commit({ isoF1: !isoF1 })} />
          {say("pr.isoF1")}
        </label>
      )}
      <label className={style.check}>
        <Check checked={unit} onChange={() => commit({ unitScale: !unit })} />
        {say("pr.unit")}
      </label>
      {threshold !== null && (
        <Button size="small" icon="close" title={say("pr.unmark")} onClick={() => markThreshold(null)}>
          {say("pr.at", { threshold: formatValue(threshold, 4) })}
        </Button>
      )}
    </>
  );
}

/** The full-screen card, if any. */
function FullScreenSlot() {
  const name = useFullScreenCard((full) => full.tag);
  const { tags } = useKindTags("pr_curves");
  const runsOn = useLineStylesForTag();
  const tag = tags.find((each) => each.tag === name);
  if (!tag) return null;
  const runs = runsOn(tag);
  return (
    <Suspense fallback={null}>
      <FullCurves
        key={tag.tag}
        tag={tag}
        runs={runs}
        modes={<Modes />}
        menu={(curves, zoom) => <ExportMenu tag={tag} curves={curves} zoom={zoom} />}
      />
    </Suspense>
  );
}
