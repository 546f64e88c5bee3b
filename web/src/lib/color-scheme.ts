/** The color scheme: the user's choice, or that of the system. boot.js does the same before the first paint. */

import { mediaQuery } from "./media-query";

export type Theme = "system" | "light" | "dark";
export type ColorScheme = "light" | "dark";

const systemIsDark = mediaQuery("(prefers-color-scheme: dark)");

export function resolveTheme(theme: Theme): ColorScheme {
  return theme === "system" ? (systemIsDark.matches() ? "dark" : "light") : theme;
}

/** Applies it to the page. */
export function applyColorScheme(scheme: ColorScheme): void {
  document.documentElement.dataset.theme = scheme;
  document.documentElement.style.colorScheme = scheme;
}

/** Calls back when the system's color scheme changes; returns a function that unsubscribes. */
export const onSystemColorScheme = systemIsDark.subscribe;
