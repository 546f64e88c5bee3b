/** Light or dark: what was chosen, or what the system asks for. boot.js does the same before first paint. */

export type Theme = "system" | "light" | "dark";
export type Shade = "light" | "dark";

const dark = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");

export function shadeOf(theme: Theme): Shade {
  return theme === "system" ? (dark?.matches ? "dark" : "light") : theme;
}

/** Puts the page into it. */
export function showShade(shade: Shade): void {
  document.documentElement.dataset.theme = shade;
  document.documentElement.style.colorScheme = shade;
}

/** Calls back when the system changes its mind; returns the way to stop. */
export function onSystemShade(callback: () => void): () => void {
  dark?.addEventListener("change", callback);
  return () => dark?.removeEventListener("change", callback);
}
