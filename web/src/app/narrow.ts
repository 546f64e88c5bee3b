import { useSyncExternalStore } from "react";

/** Beside the runs there is room for one card at least. */
const query = matchMedia("(max-width: 759px)");

function subscribe(callback: () => void): () => void {
  query.addEventListener("change", callback);
  return () => query.removeEventListener("change", callback);
}

/** Whether the window is a phone's, or magnified as much: the side bar is a sheet then. */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
