/** The legend of an exported picture, in rows below it. */

import type { ChartTheme } from "../../chart/model";
import { fontOf, type Pen } from "../../chart/pen";
import { WIRE_ALPHA } from "./draw";
import type { LegendEntry } from "./legend-entries";

const TEXT_PX = 11;
const SWATCH = 10;
const LINE = 22;
const GAP = 6;
const BETWEEN = 18;
const ROW = 20;
const DASHES = [3, 3];

export interface LegendLayout {
  height: number;
  places: readonly { entry: LegendEntry; x: number; y: number }[];
}

export function entryWidth(entry: LegendEntry, widthOf: (text: string) => number): number {
  return (entry.line ? LINE : SWATCH) + GAP + widthOf(entry.label);
}

/** The font that `widthOf` has to measure in. */
export function legendFont(theme: ChartTheme): string {
  return fontOf(theme, TEXT_PX);
}

/** The entries from left to right, in as many rows as they need. */
export function layLegend(
  entries: readonly LegendEntry[],
  width: number,
  widthOf: (text: string) => number,
): LegendLayout {
  let x = 0;
  let row = 0;
  const places = entries.map((entry) => {
    const needed = entryWidth(entry, widthOf);
    if (x > 0 && x + needed > width) {
      x = 0;
      row += 1;
    }
    const place = { entry, x, y: (row + 0.5) * ROW };
    x += needed + BETWEEN;
    return place;
  });
  return { height: entries.length > 0 ? (row + 1) * ROW : 0, places };
}

/** Draws it with its upper left corner where the pen is. */
export function drawLegend(pen: Pen, { places }: LegendLayout, theme: ChartTheme): void {
  pen.font = legendFont(theme);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  for (const { entry, x, y } of places) {
    const { label, color, line } = entry;
    if (line) {
      pen.globalAlpha = WIRE_ALPHA;
      pen.strokeStyle = color;
      pen.lineWidth = line.width;
      pen.setLineDash(line.dashed ? DASHES : []);
      pen.beginPath();
      pen.moveTo(x, y);
      pen.lineTo(x + LINE, y);
      pen.stroke();
      pen.setLineDash([]);
      pen.globalAlpha = 1;
    } else {
      pen.fillStyle = color;
      pen.fillRect(x, y - SWATCH / 2, SWATCH, SWATCH);
    }
    pen.fillStyle = theme.text2;
    pen.fillText(label, x + (line ? LINE : SWATCH) + GAP, y);
  }
}
