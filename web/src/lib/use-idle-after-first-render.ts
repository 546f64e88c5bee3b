/** True a moment after the first render, when data that nothing on screen waits for may be fetched. */

import { useEffect, useRef, useState } from "react";
import { TESTING } from "./current-time";
import { beginWork } from "./pending-work";

const DELAY_MS = TESTING ? 0 : 400;

/** Pages set `<html data-ready>` once their first charts are drawn, or at once if they have none. */
export function useIdleAfterFirstRender(): boolean {
  const [idle, setIdle] = useState(false);
  const end = useRef(() => {});
  useEffect(() => {
    end.current = beginWork();
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
      end.current();
    };
  }, []);
  // The page counts as busy until what waited for this has begun its request.
  useEffect(() => {
    if (idle) end.current();
  }, [idle]);
  return idle;
}
