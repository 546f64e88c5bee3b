/** Whether the page shows what it was opened for: what nobody waits for is asked for after that. */

import { useSyncExternalStore } from "react";

/** The first charts say so on `<html data-ready>`, as do pages without charts. */
function isReady(): boolean {
  return document.documentElement.dataset.ready !== undefined;
}

function onReady(callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributeFilter: ["data-ready"] });
  return () => observer.disconnect();
}

export function useRested(): boolean {
  return useSyncExternalStore(onReady, isReady);
}
