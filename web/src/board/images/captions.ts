/** Captions of a card of fixed size: names in as many lines as fit. Pure. */

import { breakablePieces, cutTogether } from "../../lib/short-names";

/** Longer names are cut in the middle. */
const MAX_LINES = 3;
export const LINE_PX = 16;
/** Gap to the image and padding of a caption. */
const AROUND_PX = 6;
/** The swatch before the name. */
export const SWATCH_PX = 16;
/** Slack: some fonts have wide digits, and lines break at whole pixels. */
const SLACK_PX = 2;

/** Below this width no part of a name is broken: half a number would be another. */
const NARROW_PX = 120;
/** Higher than any card. */
const NO_ROOM_PX = 10_000;

export interface Captions {
  /** In the order of the names; no two of different runs are equal. */
  texts: readonly string[];
  /** Height of the tallest caption. */
  px: number;
}

/** `step` is the longest text that follows a name; `widthOf` measures. */
export function captionsIn(
  names: readonly string[],
  step: string,
  roomPx: number,
  widthOf: (text: string) => number,
): Captions {
  const lines = (text: string) => linesOf(text, step, roomPx, widthOf);
  const texts = cutTogether(names, (text) => lines(text) <= MAX_LINES);
  const breaks = (text: string) => breakablePieces(text).some((piece) => widthOf(piece) > roomPx - SLACK_PX);
  const px = Math.max(1, ...texts.map(lines)) * LINE_PX + AROUND_PX;
  return { texts, px: roomPx < NARROW_PX && texts.some(breaks) ? NO_ROOM_PX : px };
}

/** The number of lines in which a browser renders swatch, name and step. */
export function linesOf(
  name: string,
  step: string,
  roomPx: number,
  widthOf: (text: string) => number,
): number {
  const room = Math.max(1, roomPx - SLACK_PX);
  let lines = 1;
  let usedPx = SWATCH_PX;
  const pieces = step === "" ? breakablePieces(name) : [...breakablePieces(name), ` ${step}`];
  for (const piece of pieces) {
    const px = widthOf(piece);
    if (usedPx + px <= room) {
      usedPx += px;
      continue;
    }
    // A piece that does not fit on a line of its own is broken anywhere.
    const more = Math.max(1, Math.ceil(px / room));
    lines += more;
    usedPx = px - (more - 1) * room;
  }
  return lines;
}
