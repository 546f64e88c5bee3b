/** Theme and color ramps of histograms, cached per color scheme. */

import { type ChartTheme, readSchemeTheme } from "../../chart";
import type { ColorScheme } from "../runs/slot";
import { rampColors } from "./ramp-colors";

export interface RampTheme {
  theme: ChartTheme;
  /** The ramp of the heat map, shared by all runs. */
  colors: readonly string[];
}

const ramps = new Map<string, readonly string[]>();

/** The ramp of one run, by its colour. */
export function rampOf(theme: ChartTheme, color: string): readonly string[] {
  const key = `${theme.surface} ${color}`;
  const found = ramps.get(key) ?? rampColors({ ...theme, accent: color });
  ramps.set(key, found);
  return found;
}

const known = new Map<string, RampTheme>();

/** `paper`: the light theme, also where the page is dark. */
export function rampTheme(scheme: ColorScheme, paper = false): RampTheme {
  const name = paper ? "light" : scheme;
  const found = known.get(name);
  if (found) return found;
  const theme = readSchemeTheme(name);
  const ramp = { theme, colors: rampColors(theme) };
  known.set(name, ramp);
  return ramp;
}
