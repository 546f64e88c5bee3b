/** The theme on the page: that of the view. */

import { useSyncExternalStore } from "react";
import { onSystemShade, type Shade, shadeOf, showShade } from "../base/shade";
import { useView } from "./view";

/** The shade in use now, for code outside React. */
export function currentShade(): Shade {
  return shadeOf(useView.getState().theme);
}

/** Keeps `<html data-theme>` equal to the view; returns the way to stop. */
export function followTheme(): () => void {
  const apply = () => showShade(currentShade());
  apply();
  return onShade(apply);
}

/** Calls back when the shade may have changed; returns the way to stop. */
export function onShade(callback: () => void): () => void {
  const stop = useView.subscribe((view, before) => {
    if (view.theme !== before.theme) callback();
  });
  const stopSystem = onSystemShade(callback);
  return () => {
    stop();
    stopSystem();
  };
}

export function useShade(): Shade {
  return useSyncExternalStore(onShade, currentShade);
}
