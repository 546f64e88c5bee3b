/**
 * The style of a run by its slot: ten colours, then the same ten with dashes. The server assigns the slot, so a run
 * looks the same on every page, after every filter and in both themes.
 */

import type { ColorScheme } from "../../lib/color-scheme";

export type { ColorScheme };

/** The same hues in both themes; any two of the ten can be told apart with the three kinds of colour blindness. */
const COLORS: Record<ColorScheme, readonly string[]> = {
  light: [
    "#466bf4",
    "#6b4300",
    "#207963",
    "#cb1043",
    "#7512a6",
    "#a2941d",
    "#0aa0d2",
    "#bd6397",
    "#74a06b",
    "#544e67",
  ],
  dark: [
    "#646afa",
    "#f4b85b",
    "#91e5ca",
    "#fb8083",
    "#e7c0fb",
    "#8b8c14",
    "#4ea2d4",
    "#c25486",
    "#42864e",
    "#a3a3b1",
  ],
};

/** Lengths of dashes and gaps in pixels. */
const DASHES: readonly (readonly number[])[] = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

export function slotColor(slot: number, scheme: ColorScheme): string {
  const colors = COLORS[scheme];
  return colors[slot % colors.length]!;
}

/** Number of dash patterns, with the solid one. */
export const DASH_COUNT = DASHES.length;

/** The dash pattern of a slot, 0 to 3; 0 is solid. */
export function slotDash(slot: number): number {
  return Math.floor(slot / COLORS.light.length) % DASH_COUNT;
}

/** Lengths of dashes and gaps of a pattern. */
export function dashLengths(dash: number): readonly number[] {
  return DASHES[dash % DASH_COUNT]!;
}
