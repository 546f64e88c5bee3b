import { useSyncExternalStore } from "react";

const query = matchMedia("(max-width: 639px)");

function subscribe(callback: () => void): () => void {
  query.addEventListener("change", callback);
  return () => query.removeEventListener("change", callback);
}

/** Whether the window is a phone's: the side bar is a sheet then. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
