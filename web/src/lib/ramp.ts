/**
 * An even colour ramp for numbers, from violet over teal to gold. Lightness increases steadily, so that it also works
 * without colour vision. Its ends stay distinct from the background of each theme.
 */

import { oklabHex } from "./oklab";

/** [lightness at 0, at 1] in OKLCH. */
const LIGHTNESS = { light: [0.34, 0.66], dark: [0.52, 0.9] } as const;
const HUE = [305, 85] as const;
const CHROMA = 0.13;

/** The colour at `part` of the ramp (0 to 1) as "#rrggbb". */
export function rampColor(part: number, scheme: "light" | "dark"): string {
  const at = Math.min(1, Math.max(0, part));
  const [low, high] = LIGHTNESS[scheme];
  const hue = ((HUE[0] + (HUE[1] - HUE[0]) * at) * Math.PI) / 180;
  return oklabHex(low + (high - low) * at, CHROMA * Math.cos(hue), CHROMA * Math.sin(hue));
}
