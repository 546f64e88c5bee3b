/**
 * The color scheme: the user's choice, or that of the page around it, or that of the system. boot.js does the same before
 * the first paint, when no page around it has told its own.
 */

import { type ColorScheme, frameColorScheme, onFrameColorScheme } from "./frame-scheme";
import { mediaQuery } from "./media-query";

export type Theme = "system" | "light" | "dark";
export type { ColorScheme };

const systemIsDark = mediaQuery("(prefers-color-scheme: dark)");

export function resolveTheme(theme: Theme): ColorScheme {
  if (theme !== "system") return theme;
  return frameColorScheme() ?? (systemIsDark.matches() ? "dark" : "light");
}

/** Applies it to the page. */
export function applyColorScheme(scheme: ColorScheme): void {
  document.documentElement.dataset.theme = scheme;
  document.documentElement.style.colorScheme = scheme;
}

/** Calls back when the scheme of the system, or around the page, changes; returns a function that unsubscribes. */
export function onSystemColorScheme(callback: () => void): () => void {
  const stops = [systemIsDark.subscribe(callback), onFrameColorScheme(callback)];
  return () => {
    for (const stop of stops) stop();
  };
}
