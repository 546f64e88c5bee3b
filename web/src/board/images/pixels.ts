/**
 * Reads pixels of decoded images, and measures how much two images differ. Reading needs a canvas; measuring is pure.
 */

/** Red, green, blue, alpha: 0 to 255. */
export type Pixel = readonly [number, number, number, number];

let one: CanvasRenderingContext2D | null = null;

/** The pixel at (x, y) of an image; null if it cannot be read. */
export function pixelAt(image: HTMLImageElement, x: number, y: number): Pixel | null {
  one ??= contextOf(1, 1);
  if (!one || x < 0 || y < 0 || x >= image.naturalWidth || y >= image.naturalHeight) return null;
  one.clearRect(0, 0, 1, 1);
  one.drawImage(image, x, y, 1, 1, 0, 0, 1, 1);
  const [r = 0, g = 0, b = 0, a = 0] = one.getImageData(0, 0, 1, 1).data;
  return [r, g, b, a];
}

export function contextOf(width: number, height: number): CanvasRenderingContext2D | null {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas.getContext("2d", { willReadFrequently: true });
}

export interface PixelDifference {
  /** Share of the pixels that differ, 0 to 1. */
  share: number;
  /** Mean and greatest difference of a colour channel, 0 to 255. */
  mean: number;
  most: number;
}

/** The difference of two images of one size, from their RGBA bytes. */
export function pixelDifference(a: ArrayLike<number>, b: ArrayLike<number>): PixelDifference {
  let [differing, sum, most] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 4) {
    let pixel = 0;
    for (let channel = 0; channel < 4; channel++) {
      const distance = Math.abs(a[at + channel]! - b[at + channel]!);
      if (channel < 3) sum += distance;
      if (distance > pixel) pixel = distance;
    }
    if (pixel > 0) differing += 1;
    if (pixel > most) most = pixel;
  }
  const pixels = a.length / 4;
  return pixels === 0
    ? { share: 0, mean: 0, most: 0 }
    : { share: differing / pixels, mean: sum / pixels / 3, most };
}

/** Measuring more pixels than this would block the page. */
const MAX_MEASURED = 4_000_000;

/** The difference of two images; null if their sizes differ, or they are too large. */
export function imageDifference(a: HTMLImageElement, b: HTMLImageElement): PixelDifference | null {
  const [width, height] = [a.naturalWidth, a.naturalHeight];
  if (b.naturalWidth !== width || b.naturalHeight !== height) return null;
  if (width === 0 || width * height > MAX_MEASURED) return null;
  const [first, second] = [a, b].map((image) => {
    const context = contextOf(width, height);
    context?.drawImage(image, 0, 0);
    return context?.getImageData(0, 0, width, height).data;
  });
  return first && second ? pixelDifference(first, second) : null;
}
