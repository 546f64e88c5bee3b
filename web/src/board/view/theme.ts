/** Applies the theme of the view to the page. */

import { useSyncExternalStore } from "react";
import {
  applyColorScheme,
  type ColorScheme,
  onSystemColorScheme,
  resolveTheme,
} from "../../lib/color-scheme";
import { useView } from "./view";

/** The current color scheme, for code outside React. */
export function currentColorScheme(): ColorScheme {
  return resolveTheme(useView.getState().theme);
}

/** Keeps `<html data-theme>` equal to the view; returns a function that stops it. */
export function followTheme(): () => void {
  const apply = () => applyColorScheme(currentColorScheme());
  apply();
  return onColorScheme(apply);
}

/** Calls back when the color scheme may have changed; returns the function that unsubscribes. */
export function onColorScheme(callback: () => void): () => void {
  const stop = useView.subscribe((view, before) => {
    if (view.theme !== before.theme) callback();
  });
  const stopSystem = onSystemColorScheme(callback);
  return () => {
    stop();
    stopSystem();
  };
}

export function useColorScheme(): ColorScheme {
  return useSyncExternalStore(onColorScheme, currentColorScheme);
}
