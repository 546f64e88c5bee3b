/** The theme on the page: what was chosen, or what the system asks for. boot.js did the same before first paint. */

import { useSyncExternalStore } from "react";
import type { Shade } from "./slot";
import { useView } from "./view";
import type { Theme } from "./viewstate";

const dark = typeof matchMedia === "undefined" ? null : matchMedia("(prefers-color-scheme: dark)");

export function shadeOf(theme: Theme): Shade {
  return theme === "system" ? (dark?.matches ? "dark" : "light") : theme;
}

/** The shade in use now, for code outside React. */
export function currentShade(): Shade {
  return shadeOf(useView.getState().theme);
}

/** Keeps `<html data-theme>` equal to the view; returns the way to stop. */
export function followTheme(): () => void {
  const apply = () => {
    const shade = currentShade();
    document.documentElement.dataset.theme = shade;
    document.documentElement.style.colorScheme = shade;
  };
  apply();
  return onShade(apply);
}

/** Calls back when the shade may have changed; returns the way to stop. */
export function onShade(callback: () => void): () => void {
  const stop = useView.subscribe((view, before) => {
    if (view.theme !== before.theme) callback();
  });
  dark?.addEventListener("change", callback);
  return () => {
    stop();
    dark?.removeEventListener("change", callback);
  };
}

export function useShade(): Shade {
  return useSyncExternalStore(onShade, currentShade);
}
