/** True a moment after the first render, when data that nothing on screen waits for may be fetched. */

import { useEffect, useState } from "react";

const DELAY_MS = 400;

/** Pages set `<html data-ready>` once their first charts are drawn, or at once if they have none. */
export function useIdleAfterFirstRender(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = () => {
      if (document.documentElement.dataset.ready === undefined) return;
      observer.disconnect();
      timer = setTimeout(() => setIdle(true), DELAY_MS);
    };
    const observer = new MutationObserver(check);
    observer.observe(document.documentElement, { attributeFilter: ["data-ready"] });
    check();
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, []);
  return idle;
}
