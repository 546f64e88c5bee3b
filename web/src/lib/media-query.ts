/** Media queries whose answer changes together with the event that tells of it. */

export interface MediaQuery {
  matches(): boolean;
  /** Calls back after each change; returns the function that unsubscribes. */
  subscribe(callback: () => void): () => void;
}

/** For the whole life of the page. Without a browser it never matches. */
export function mediaQuery(text: string): MediaQuery {
  const list = typeof matchMedia === "undefined" ? null : matchMedia(text);
  // Kept here: Chromium sends no event for a change that was read from `list.matches` before.
  let matches = list?.matches ?? false;
  list?.addEventListener("change", (event) => {
    matches = event.matches;
  });
  return {
    matches: () => matches,
    subscribe: (callback) => {
      list?.addEventListener("change", callback);
      return () => list?.removeEventListener("change", callback);
    },
  };
}
