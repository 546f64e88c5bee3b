/**
 * Draws a picture that takes longer than a frame a slice at a time, on a sheet of its own; once it is whole it replaces
 * what the chart showed. The page stays quick, and nobody sees half a picture.
 */

import { type Drawn, drawSteps } from "./draw";
import type { Picture } from "./picture";
import { clearSurface, type Surface } from "./surface";

/** What a browser without a graphics card needs for one corner of a line, measured. */
const CORNER_MS = 0.0002;
const SHARP_CORNER_MS = 0.0012;
/** A slice: long enough to get on, short enough for a frame. */
const SLICE_MS = 10;
/** Points from which on a picture takes longer than that. */
const LARGE = 40_000;

/** What drawing corners still costs when the frame ends, in ms by estimate. */
export function owedMs(corners: number, pixelRatio: number): number {
  return corners * (pixelRatio > 1 ? SHARP_CORNER_MS : CORNER_MS);
}

export function isLarge({ lines }: Picture): boolean {
  return lines.reduce((sum, { main, ghost }) => sum + main.x.length + (ghost?.x.length ?? 0), 0) > LARGE;
}

export class Slices {
  readonly picture: Picture;
  readonly highlighted: number | null;
  readonly #pixelRatio: number;
  readonly #sheet: Surface;
  readonly #steps: Generator<number, Drawn>;
  #corners = 0;

  constructor(picture: Picture, highlighted: number | null, pixelRatio: number) {
    this.picture = picture;
    this.highlighted = highlighted;
    this.#pixelRatio = pixelRatio;
    this.#sheet = newSheet();
    clearSurface(this.#sheet, picture.size.width, picture.size.height, pixelRatio);
    this.#steps = drawSteps(this.#sheet.context, picture, { pixelRatio, highlighted });
  }

  /** Draws the next slice; what was drawn once it is all, else null. */
  draw(): Drawn | null {
    const start = performance.now();
    const before = this.#corners;
    for (;;) {
      const step = this.#steps.next();
      if (step.done) return step.value;
      this.#corners = step.value;
      const owed = owedMs(this.#corners - before, this.#pixelRatio);
      if (performance.now() - start + owed < SLICE_MS) continue;
      // To read a pixel has the slice drawn now, not all slices at the end.
      this.#sheet.context.getImageData(0, 0, 1, 1);
      return null;
    }
  }

  /** Puts the finished picture in the place of what `surface` shows. */
  show(surface: Surface): void {
    const { width, height } = this.picture.size;
    clearSurface(surface, width, height, this.#pixelRatio);
    surface.context.drawImage(this.#sheet.canvas, 0, 0, width, height);
  }
}

function newSheet(): Surface {
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) throw new Error("this browser draws no 2-D canvas");
  return { canvas, context };
}
