/** The chart theme of the current color scheme, cached: reading computed styles for every card is slow. */

import { type ChartTheme, readTheme } from "../../chart";
import type { ColorScheme } from "../runs/slot";
import { currentColorScheme } from "../view/theme";

const themes = new Map<ColorScheme, ChartTheme>();

/** Valid once `<html data-theme>` has the color scheme of the view. */
export function chartTheme(): ChartTheme {
  const scheme = currentColorScheme();
  const known = themes.get(scheme);
  if (known) return known;
  const theme = readTheme(document.body);
  // The page may be about to change its colours: do not cache a theme that was read too early.
  if (document.documentElement.dataset.theme === scheme) themes.set(scheme, theme);
  return theme;
}
