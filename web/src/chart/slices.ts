/**
 * Draws a picture that takes longer than a frame in slices, on a separate canvas that replaces the visible one when
 * it is complete. The page stays responsive, and no partial picture is shown.
 */

import { type DrawStats, drawIncrementally } from "./draw";
import type { Picture } from "./picture";
import { clearSurface, type Surface } from "./surface";

/** Measured time per corner of a line in a browser without GPU. */
const CORNER_MS = 0.0002;
const SHARP_CORNER_MS = 0.0012;
/** Duration of a slice: long enough to make progress, short enough for a frame. */
const SLICE_MS = 10;
/** From this number of points on, a picture takes longer than a slice. */
const LARGE = 40_000;

/** Estimated ms that rasterizing corners takes at the end of the frame. */
export function rasterMs(corners: number, pixelRatio: number): number {
  return corners * (pixelRatio > 1 ? SHARP_CORNER_MS : CORNER_MS);
}

export function isLarge({ lines }: Picture): boolean {
  return lines.reduce((sum, { main, ghost }) => sum + main.x.length + (ghost?.x.length ?? 0), 0) > LARGE;
}

export class SlicedDrawing {
  readonly picture: Picture;
  readonly highlighted: number | null;
  readonly #pixelRatio: number;
  readonly #sheet: Surface;
  readonly #steps: Generator<number, DrawStats>;
  #corners = 0;

  constructor(picture: Picture, highlighted: number | null, pixelRatio: number) {
    this.picture = picture;
    this.highlighted = highlighted;
    this.#pixelRatio = pixelRatio;
    this.#sheet = newCanvas();
    clearSurface(this.#sheet, picture.size.width, picture.size.height, pixelRatio);
    this.#steps = drawIncrementally(this.#sheet.context, picture, { pixelRatio, highlighted });
  }

  /** Draws the next slice; returns the statistics once the picture is complete, otherwise null. */
  draw(): DrawStats | null {
    const start = performance.now();
    const before = this.#corners;
    for (;;) {
      const step = this.#steps.next();
      if (step.done) return step.value;
      this.#corners = step.value;
      const owed = rasterMs(this.#corners - before, this.#pixelRatio);
      if (performance.now() - start + owed < SLICE_MS) continue;
      // Reading a pixel forces the browser to rasterize now instead of all slices at the end.
      this.#sheet.context.getImageData(0, 0, 1, 1);
      return null;
    }
  }

  /** Replaces the contents of `surface` by the finished picture. */
  show(surface: Surface): void {
    const { width, height } = this.picture.size;
    clearSurface(surface, width, height, this.#pixelRatio);
    surface.context.drawImage(this.#sheet.canvas, 0, 0, width, height);
  }
}

function newCanvas(): Surface {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("this browser draws no 2-D canvas");
  return { canvas, context };
}
