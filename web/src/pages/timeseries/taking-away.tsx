/** What the cards of this page offer to take away, loaded when it is asked for. */

import { lazy, Suspense } from "react";
import type { TakeAway } from "../../panel/take-away";

const CardItems = lazy(() => import("../../panels/export/card-items"));
const DownloadLinks = lazy(() => import("../../panels/export/download-links"));

export const takingAway: TakeAway = {
  Items: ({ tag }) => (
    <Suspense fallback={null}>
      <CardItems tag={tag} />
    </Suspense>
  ),
  Links: ({ tag }) => (
    <Suspense fallback={null}>
      <DownloadLinks tag={tag} />
    </Suspense>
  ),
};
