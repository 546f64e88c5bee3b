/** Whether the page has shown what it was opened for, and had a moment: what nobody waits for is asked for then. */

import { useEffect, useState } from "react";

const MOMENT_MS = 400;

/** The first charts say that they are drawn on `<html data-ready>`, as do pages without charts. */
export function useRested(): boolean {
  const [rested, setRested] = useState(false);
  useEffect(() => {
    let moment: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      if (document.documentElement.dataset.ready === undefined) return;
      observer.disconnect();
      moment = setTimeout(() => setRested(true), MOMENT_MS);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.documentElement, { attributeFilter: ["data-ready"] });
    look();
    return () => {
      observer.disconnect();
      clearTimeout(moment);
    };
  }, []);
  return rested;
}
