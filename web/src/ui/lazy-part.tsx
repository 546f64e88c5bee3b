/** Parts whose code is fetched when they are first shown. */

import { type ComponentProps, type ComponentType, type LazyExoticComponent, lazy, useEffect } from "react";
import { beginWork } from "../lib/pending-work";

/** React may hold a part back for a moment after its code is there. One that is closed before that is never shown. */
const HELD_BACK_MS = 1000;

/** As `lazy` of React; the page counts as busy until the part is shown. */
// biome-ignore lint/suspicious/noExplicitAny: as React declares it
export function lazyPart<Part extends ComponentType<any>>(
  load: Parameters<typeof lazy<Part>>[0],
): LazyExoticComponent<ComponentType<ComponentProps<Part>>> {
  return lazy(async () => {
    const end = beginWork();
    try {
      const { default: Loaded } = await load();
      setTimeout(end, HELD_BACK_MS);
      // biome-ignore lint/correctness/noComponentHookFactories: made once for each part
      const Shown = (props: ComponentProps<Part>) => {
        useEffect(end, []);
        return <Loaded {...props} />;
      };
      return { default: Shown };
    } catch (fault) {
      end();
      throw fault;
    }
  });
}
