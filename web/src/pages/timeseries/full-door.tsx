/** The chart that fills the window, brought in when it is first asked for; cards of other kinds see to that themselves. */

import { lazy, Suspense } from "react";
import { useFull } from "../../state/full";
import type { Cards } from "./cards";

const FullScreen = lazy(() => import("../../panels/scalars/full-screen"));

export function FullDoor({ cards }: { cards: Cards }) {
  const tag = useFull((full) => full.tag);
  if (tag === null) return null;
  const item = cards.sections
    .flatMap(({ items }) => items)
    .find((each) => each.kind === "scalars" && each.tag === tag);
  if (!item) return null;
  return (
    <Suspense fallback={null}>
      <FullScreen key={tag} tag={item.info} runs={item.runs} joined={item.joined} />
    </Suspense>
  );
}
