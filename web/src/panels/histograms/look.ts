/** Colours for histograms as the theme has them, worked out once for each theme. */

import { type ChartTheme, readTheme } from "../../chart";
import type { Shade } from "../../state/slot";
import { shadesOf } from "./shades";

export interface Look {
  theme: ChartTheme;
  /** The ramp of the heat map, which is that of all runs. */
  shades: readonly string[];
}

const ramps = new Map<string, readonly string[]>();

/** The ramp of one run, by its colour. */
export function rampOf(theme: ChartTheme, color: string): readonly string[] {
  const key = `${theme.surface} ${color}`;
  const found = ramps.get(key) ?? shadesOf({ ...theme, accent: color });
  ramps.set(key, found);
  return found;
}

const known = new Map<string, Look>();

/** `paper`: the light theme, also where the page is dark. */
export function lookOf(shade: Shade, paper = false): Look {
  const name = paper ? "light" : shade;
  const found = known.get(name);
  if (found) return found;
  const probe = document.createElement("div");
  probe.dataset.theme = name;
  document.body.append(probe);
  const theme = readTheme(probe);
  probe.remove();
  const look = { theme, shades: shadesOf(theme) };
  known.set(name, look);
  return look;
}
