/** The pages by their names in the address. Each is loaded on first use. */

import type { ComponentType } from "react";
import { lazyPart } from "../../ui/lazy-part";

export const PAGES: Readonly<Record<string, ComponentType>> = {
  audio: lazyPart(() => import("../audio/audio-page")),
  compare: lazyPart(() => import("../pages/compare/compare-page")),
  graphs: lazyPart(() => import("../graphs/graphs-page")),
  histograms: lazyPart(() => import("../histograms/histograms-page")),
  images: lazyPart(() => import("../images/images-page")),
  hparams: lazyPart(() => import("../hparams/hparams-page")),
  mesh: lazyPart(() => import("../mesh/mesh-page")),
  other: lazyPart(() => import("../pages/other/other-page")),
  custom_scalars: lazyPart(() => import("../custom-scalars/custom-page")),
  pr_curves: lazyPart(() => import("../pr-curves/pr-curves-page")),
  profile: lazyPart(() => import("../profile/profile-page")),
  projector: lazyPart(() => import("../projector/projector-page")),
  run: lazyPart(() => import("../pages/run/run-page")),
  runs: lazyPart(() => import("../pages/runs/runs-page")),
  text: lazyPart(() => import("../text/text-page")),
};

export function hasPage(page: string): boolean {
  return Object.hasOwn(PAGES, page);
}
