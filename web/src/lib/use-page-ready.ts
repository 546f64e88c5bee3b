/** Marks the page as ready in `<html data-ready>`, once `ready` is true. */

import { useEffect } from "react";

export function usePageReady(ready: boolean): void {
  useEffect(() => {
    if (ready) document.documentElement.dataset.ready = "true";
  }, [ready]);
}
