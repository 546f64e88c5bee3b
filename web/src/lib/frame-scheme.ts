/** The color scheme of the page that shows this one in a frame, if it tells: a notebook's theme is not the system's. */

/** What that page sends, as `lightboard/notebook/frame.py` does: `{[MESSAGE]: "dark"}`. */
const MESSAGE = "lightboardColorScheme";

export type ColorScheme = "light" | "dark";

let told: ColorScheme | null = null;
const listeners = new Set<() => void>();

if (typeof window !== "undefined" && window.parent !== window)
  window.addEventListener("message", ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || typeof data !== "object" || data === null) return;
    const scheme = (data as Record<string, unknown>)[MESSAGE];
    if ((scheme !== "light" && scheme !== "dark") || scheme === told) return;
    told = scheme;
    for (const listener of listeners) listener();
  });

/** Null if there is no such page, or if it has not told. */
export const frameColorScheme = (): ColorScheme | null => told;

/** Calls back when it changes; returns a function that unsubscribes. */
export function onFrameColorScheme(callback: () => void): () => void {
  listeners.add(callback);
  return () => void listeners.delete(callback);
}
