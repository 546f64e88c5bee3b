/** The pages by their names in the address. Each is loaded on first use. */

import { type ComponentType, lazy } from "react";

export const PAGES: Readonly<Record<string, ComponentType>> = {
  audio: lazy(() => import("../pages/audio/audio-page")),
  compare: lazy(() => import("../pages/compare/compare-page")),
  histograms: lazy(() => import("../pages/histograms/histograms-page")),
  images: lazy(() => import("../pages/images/images-page")),
  hparams: lazy(() => import("../pages/hparams/hparams-page")),
  mesh: lazy(() => import("../pages/mesh/mesh-page")),
  other: lazy(() => import("../pages/other/other-page")),
  custom_scalars: lazy(() => import("../pages/custom-scalars/custom-page")),
  pr_curves: lazy(() => import("../pages/pr-curves/pr-curves-page")),
  projector: lazy(() => import("../pages/projector/projector-page")),
  run: lazy(() => import("../pages/run/run-page")),
  runs: lazy(() => import("../pages/runs/runs-page")),
  text: lazy(() => import("../pages/text/text-page")),
};

export function hasPage(page: string): boolean {
  return Object.hasOwn(PAGES, page);
}
