/** Colours of the charts in the present theme, read once per shade: style is slow to ask for on every card. */

import { type ChartTheme, readTheme } from "../../chart";
import type { Shade } from "../../state/slot";
import { currentShade } from "../../state/theme";

const themes = new Map<Shade, ChartTheme>();

/** Valid once `<html data-theme>` says the same shade as the view. */
export function chartTheme(): ChartTheme {
  const shade = currentShade();
  const known = themes.get(shade);
  if (known) return known;
  const theme = readTheme(document.body);
  // The page may be about to change its colours; what is read too early must not be kept.
  if (document.documentElement.dataset.theme === shade) themes.set(shade, theme);
  return theme;
}
