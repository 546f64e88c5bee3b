/** Images of all visible runs at every stored step, with one slider. */

import { type CSSProperties, useCallback, useState } from "react";
import { KindPage } from "../cards/kind-page";
import { PageStep } from "../cards/page-step";
import { useVisibleRuns } from "../runs/visible-runs";
import { useStepUnion } from "../view/steps";
import { useView } from "../view/view";
import { filterOf } from "./filter";
import { SIZE_PX } from "./fit";
import { ImageSection } from "./image-section";
import { ImageTools } from "./image-tools";
import style from "./images-page.module.css";

/** Approximate height of a row of images with its heading. */
const HEIGHT_PX = 300;
const GAP_PX = 12;
/** Minimum width for the heading of a card. */
const LEAST_PX = 260;

/** The width of cards placed side by side if few runs leave room for it; 0 gives each a row. */
function useCardPx(): number {
  const mode = useView((view) => view.imageMode);
  const size = SIZE_PX[useView((view) => view.imageSize)];
  const trueSize = useView((view) => view.trueSize);
  const runs = useVisibleRuns().size;
  return mode === "grid" && !trueSize ? Math.max(LEAST_PX, runs * (size + GAP_PX) + GAP_PX + 2) : 0;
}

export default function ImagesPage() {
  const filter = useView(filterOf);
  const cardPx = useCardPx();
  const [stepsByTag, setStepsByTag] = useState<Readonly<Record<string, readonly number[]>>>({});
  const steps = useStepUnion(Object.values(stepsByTag).map((each) => ({ steps: each })));
  const tell = useCallback(
    (tag: string, found: readonly number[]) =>
      setStepsByTag((was) => (was[tag] === found ? was : { ...was, [tag]: found })),
    [],
  );
  return (
    <div className={style.page} style={{ "--image-filter": filter } as CSSProperties}>
      <KindPage
        kind="images"
        height={HEIGHT_PX}
        cardPx={cardPx}
        tools={
          <>
            <PageStep steps={steps} />
            <ImageTools />
          </>
        }
      >
        {({ tag, runs }) => <ImageSection tag={tag} runs={runs} onSteps={tell} />}
      </KindPage>
    </div>
  );
}
