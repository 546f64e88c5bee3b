/** The size of closed boxes, headings and labels, from their texts. */

import type { GraphBox } from "../../api/graphs";
import type { MeasureText } from "../../chart/canvas";
import { HEAD_HEIGHT, SIGN_SIZE } from "./geometry/hit-test";
import type { BoxText } from "./geometry/picture";
import type { Size } from "./geometry/shapes";

export const TITLE_PX = 12;
export const NOTE_PX = 10.5;
export const LABEL_PX = 10;

/** Room beside the texts, on each side. */
export const TEXT_MARGIN = 12;
/** The sign of a constant or variable, with the gap beside it. */
export const MARK_WIDTH = 14;
const LEAST_WIDE = 48;

/** Widths of texts of one font, each measured once. */
export class TextWidths {
  readonly #known = new Map<string, number>();

  constructor(
    private readonly measure: MeasureText,
    private readonly families: string,
  ) {}

  of(text: string, px: number, weight: number): number {
    const key = `${px} ${weight} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const width = this.measure(text, this.font(px, weight));
    this.#known.set(key, width);
    return width;
  }

  font(px: number, weight: number): string {
    return `${weight} ${px}px ${this.families}`;
  }
}

export function boxSize(box: GraphBox, text: BoxText, aside: boolean, widths: TextWidths): Size {
  const title = widths.of(text.title, TITLE_PX, box.opens ? 600 : 500);
  const note = widths.of(text.note, NOTE_PX, 400);
  if (aside && !box.opens) {
    return {
      width: Math.ceil(MARK_WIDTH + Math.max(title, note) + TEXT_MARGIN + 16),
      height: text.note ? 32 : 22,
    };
  }
  const width =
    Math.max(LEAST_WIDE, title, aside ? 0 : note) + 2 * TEXT_MARGIN + (box.opens ? SIGN_SIZE - 6 : 0);
  return { width: Math.ceil(width), height: text.note === "" || aside ? 28 : 42 };
}

export function headSize(box: GraphBox, text: BoxText, widths: TextWidths): Size {
  const title = widths.of(text.title, TITLE_PX, 600);
  const note = widths.of(text.note, NOTE_PX, 400);
  const signs = box.kind === "stack" ? 3 : 1;
  return { width: Math.ceil(title + note + 3 * TEXT_MARGIN + signs * SIGN_SIZE), height: HEAD_HEIGHT };
}

export function labelSize(text: string, widths: TextWidths): Size | null {
  return text === "" ? null : { width: Math.ceil(widths.of(text, LABEL_PX, 400)) + 2, height: 14 };
}
