/** The displayed size of images: integer scales once pixels are visible. Pure. */

/** Least width of an image in the grid, in px. */
export const SIZE_PX = { small: 128, normal: 208, large: 352 } as const;

/**
 * An image that claims more pixels than this is not decoded until requested: it takes four bytes each, and the claim
 * may be false.
 */
export const MAX_PIXELS = 25_000_000;

/** From this scale on pixels are drawn as squares. */
export const PIXELATED_FROM = 2;

export interface DrawnSize {
  width: number;
  height: number;
  pixelated: boolean;
}

export interface Extent {
  width: number;
  height: number;
}

/** Fits an image into a box. Above a scale of two only integers, so that all pixels have one size. */
export function fitImage(image: Extent, box: Extent): DrawnSize {
  if (image.width === 0 || image.height === 0) return { ...box, pixelated: false };
  const room = Math.min(box.width / image.width, box.height / image.height);
  return scaleImage(image, room >= PIXELATED_FROM ? Math.floor(room) : room);
}

/** Below this height the buttons of an image stand beside it, not on it. */
export const SMALL_HEIGHT_PX = 36;
/** Width of the buttons. */
const HANDS_PX = 52;

/** Fits an image into a box that it may have to share with its buttons. */
export function fitImageBeside(image: Extent, box: Extent): DrawnSize {
  const fit = fitImage(image, box);
  if (fit.height >= SMALL_HEIGHT_PX || fit.width + HANDS_PX <= box.width) return fit;
  return fitImage(image, { ...box, width: Math.max(1, box.width - HANDS_PX) });
}

/** The size of an image at `scale`, at least one pixel. */
export function scaleImage({ width, height }: Extent, scale: number): DrawnSize {
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
    pixelated: scale >= PIXELATED_FROM,
  };
}

/** Whether an image is too large to be decoded unasked. One without a known size is not. */
export function isHuge({ width, height }: Extent): boolean {
  return width * height > MAX_PIXELS;
}

const GAP_PX = 12;
/** Maximum factor by which places grow to fill a row. */
const MAX_GROWN = 1.6;

/**
 * The width of each of `count` places in rows of `width` px, none narrower than `leastPx` unless the row is; 0
 * without a row.
 */
export function placePxOf(width: number, count: number, leastPx: number): number {
  if (width <= 0) return 0;
  const room = Math.floor((width + GAP_PX) / (leastPx + GAP_PX));
  if (room <= 1) return width;
  const inRow = Math.max(1, Math.min(count, room));
  return Math.min(Math.floor((width - (inRow - 1) * GAP_PX) / inRow), Math.round(leastPx * MAX_GROWN));
}

/** Minimum width of images in a sheet. */
const LEAST_PX = 56;
const MAX_IN_ROW = 4;
const SHEET_GAP_PX = 4;

/** The width of each of several images that share one place. */
export function sharedPx(placePx: number, count: number): number {
  const inRow = Math.max(1, Math.min(MAX_IN_ROW, Math.ceil(Math.sqrt(count))));
  return Math.max(LEAST_PX, Math.floor((placePx - (inRow - 1) * SHEET_GAP_PX) / inRow));
}
