/** How large an image is drawn: whole pixels once they are seen as such. Pure. */

/** Least width of an image in the grid, in px. */
export const SIZE_PX = { small: 128, normal: 208, large: 352 } as const;

/**
 * An image that claims more pixels than this is not decoded until somebody asks for it: it takes four bytes each, and
 * the claim may be a lie.
 */
export const MOST_PIXELS = 25_000_000;

/** From this scale on pixels are drawn as squares. */
export const PIXELATED_FROM = 2;

export interface Fitted {
  width: number;
  height: number;
  pixelated: boolean;
}

export interface Extent {
  width: number;
  height: number;
}

/** An image in a box. Above two times only whole multiples, so that all its pixels are of one size. */
export function fitted(image: Extent, box: Extent): Fitted {
  if (image.width === 0 || image.height === 0) return { ...box, pixelated: false };
  const room = Math.min(box.width / image.width, box.height / image.height);
  return scaled(image, room >= PIXELATED_FROM ? Math.floor(room) : room);
}

/** Below this height the buttons of an image stand beside it, not on it. */
export const SMALL_HEIGHT_PX = 36;
/** Room they take there. */
const HANDS_PX = 52;

/** An image in a box that it may have to share with its buttons. */
export function fittedBeside(image: Extent, box: Extent): Fitted {
  const fit = fitted(image, box);
  if (fit.height >= SMALL_HEIGHT_PX || fit.width + HANDS_PX <= box.width) return fit;
  return fitted(image, { ...box, width: Math.max(1, box.width - HANDS_PX) });
}

/** An image at `scale`, at least a pixel high and wide. */
export function scaled({ width, height }: Extent, scale: number): Fitted {
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    pixelated: scale >= PIXELATED_FROM,
  };
}

/** Is an image too large to be decoded unasked? One that does not tell its size is not. */
export function isHuge({ width, height }: Extent): boolean {
  return width * height > MOST_PIXELS;
}

const GAP_PX = 12;
/** Places grow so far to fill a row; where a row has room for no second one, as far as it goes. */
const MOST_GROWN = 1.6;

/** Width of each of `count` places in rows of `width` px, none narrower than `leastPx` unless the row is; 0 for no row. */
export function placePxOf(width: number, count: number, leastPx: number): number {
  if (width <= 0) return 0;
  const room = Math.floor((width + GAP_PX) / (leastPx + GAP_PX));
  if (room <= 1) return width;
  const inRow = Math.max(1, Math.min(count, room));
  return Math.min(Math.floor((width - (inRow - 1) * GAP_PX) / inRow), Math.round(leastPx * MOST_GROWN));
}

/** Images of a sheet are not made narrower than this. */
const LEAST_PX = 56;
const MOST_IN_ROW = 4;
const SHEET_GAP_PX = 4;

/** Width of each of several images that share the place of one. */
export function sharedPx(placePx: number, count: number): number {
  const inRow = Math.max(1, Math.min(MOST_IN_ROW, Math.ceil(Math.sqrt(count))));
  return Math.max(LEAST_PX, Math.floor((placePx - (inRow - 1) * SHEET_GAP_PX) / inRow));
}
