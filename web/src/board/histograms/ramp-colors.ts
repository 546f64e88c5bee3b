/**
 * A colour ramp from the background over the accent to the text colour, perceptually even (Oklab): more mass has more
 * contrast in both themes.
 */

import type { ChartTheme } from "../../chart";
import { oklabHex } from "../../lib/oklab";

type Lab = readonly [number, number, number];

export const SHADES = 256;

/** Position of the accent in the ramp. */
const ACCENT_AT = 0.62;
/** The end of the ramp keeps some of the accent. */
const INK = 0.72;
/** Small masses are shown a little stronger. */
const GAMMA = 0.72;
/** The reach of the logarithm: a thousandth of the full colour is at a third of the ramp. */
const LOG_REACH = 1000;

/** Colours "#rrggbb" from 0 to 1. */
export function rampColors(theme: Pick<ChartTheme, "surface" | "accent" | "text">): readonly string[] {
  const [paper, accent, text] = [theme.surface, theme.accent, theme.text].map(labOf) as [Lab, Lab, Lab];
  const ink = mix(accent, text, INK);
  return Array.from({ length: SHADES }, (_, at) => {
    const part = at / (SHADES - 1);
    return oklabHex(
      ...(part < ACCENT_AT
        ? mix(paper, accent, part / ACCENT_AT)
        : mix(accent, ink, (part - ACCENT_AT) / (1 - ACCENT_AT))),
    );
  });
}

/** The position in the ramp of a share of mass; `top` has the full colour. */
export function colorAt(mass: number, top: number, log: boolean): number {
  if (!(mass > 0)) return 0;
  const part = Math.min(1, mass / top);
  const at = log ? Math.log1p(LOG_REACH * part) / Math.log1p(LOG_REACH) : part ** GAMMA;
  return Math.max(1, Math.round(at * (SHADES - 1)));
}

/** Heights of curves, linear or logarithmic; 1 for `top`. */
export function heightAt(mass: number, top: number, log: boolean): number {
  if (!(mass > 0)) return 0;
  const part = mass / top;
  return log ? Math.log1p(LOG_REACH * part) / Math.log1p(LOG_REACH) : part;
}

function mix(a: Lab, b: Lab, part: number): Lab {
  return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part];
}

function labOf(color: string): Lab {
  const [r, g, b] = channelsOf(color).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** Red, green and blue of "#rrggbb" or "#rgb", from 0 to 1. */
export function channelsOf(color: string): [number, number, number] {
  const digits = color.length === 4 ? color.replace(/[^#]/g, "$&$&") : color;
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ];
}
