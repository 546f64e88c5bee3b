/** The pages by their names in the address. Each is loaded on first use. */

import type { ComponentType } from "react";
import { lazyPart } from "../widgets/lazy-part";

export const PAGES: Readonly<Record<string, ComponentType>> = {
  audio: lazyPart(() => import("../pages/audio/audio-page")),
  compare: lazyPart(() => import("../pages/compare/compare-page")),
  graphs: lazyPart(() => import("../pages/graphs/graphs-page")),
  histograms: lazyPart(() => import("../pages/histograms/histograms-page")),
  images: lazyPart(() => import("../pages/images/images-page")),
  hparams: lazyPart(() => import("../pages/hparams/hparams-page")),
  mesh: lazyPart(() => import("../pages/mesh/mesh-page")),
  other: lazyPart(() => import("../pages/other/other-page")),
  custom_scalars: lazyPart(() => import("../pages/custom-scalars/custom-page")),
  pr_curves: lazyPart(() => import("../pages/pr-curves/pr-curves-page")),
  profile: lazyPart(() => import("../pages/profile/profile-page")),
  projector: lazyPart(() => import("../pages/projector/projector-page")),
  run: lazyPart(() => import("../pages/run/run-page")),
  runs: lazyPart(() => import("../pages/runs/runs-page")),
  text: lazyPart(() => import("../pages/text/text-page")),
};

export function hasPage(page: string): boolean {
  return Object.hasOwn(PAGES, page);
}
