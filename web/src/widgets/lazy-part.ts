/** Parts whose code is fetched when they are first shown. */

import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { trackWork } from "../base/pending-work";

/** As `lazy` of React; the page counts as busy while it fetches the code. */
// biome-ignore lint/suspicious/noExplicitAny: as React declares it
export function lazyPart<Part extends ComponentType<any>>(
  load: () => Promise<{ default: Part }>,
): LazyExoticComponent<Part> {
  return lazy(() => trackWork(load()));
}
