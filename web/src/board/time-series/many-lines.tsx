/** A line above the cards while they draw too many runs to follow one. What it offers is loaded then. */

import { Suspense, useState } from "react";
import { storeChoice, storedChoice } from "../../lib/storage";
import { lazyPart } from "../../ui/lazy-part";
import { useSettled } from "../data/lists";
import { useVisibleRuns } from "../runs/visible-runs";
import { useView } from "../view/view";
import style from "./many-lines.module.css";

const ManyLinesOffers = lazyPart(() => import("./many-lines-offers"));

const MANY = 30;
const KEY = "lightboard.many-lines";

export function ManyLines() {
  const lines = useVisibleRuns().size;
  const isPlain = useView(({ grouping, colorBy }) => grouping === null && colorBy === "run");
  const [closed, setClosed] = useState(() => storedChoice(KEY, ["closed"]) !== null);
  const settled = useSettled();
  if (lines < MANY || !isPlain || closed || !settled) return null;
  const close = () => {
    storeChoice(KEY, "closed");
    setClosed(true);
  };
  return (
    <div className={style.note}>
      <Suspense>
        <ManyLinesOffers lines={lines} onClose={close} />
      </Suspense>
    </div>
  );
}
