/** The strip of what is being made to take away, loaded with the first of it. */

import { lazy, Suspense } from "react";
import { useTakings } from "../state/taking";

const TakingsStrip = lazy(() => import("../panels/export/takings-strip"));

export function TakingsDoor() {
  const any = useTakings((state) => state.takings.length > 0);
  return any ? (
    <Suspense>
      <TakingsStrip />
    </Suspense>
  ) : null;
}
