/** Takes pictures of meshes onto canvases: by WebGL where the browser has it, else on the processor. */

import { type BoxTheme, drawAxes, drawBox } from "./box";
import { Gpu } from "./gpu";
import type { Shot } from "./shot";
import { emptyPixels, splat } from "./splat";

export type Means = "gpu" | "cpu";

/** A card that goes away again and again is left alone. */
const MOST_TRIES = 3;

let gpu: Gpu | null = null;
let tries = 0;

function opened(): Gpu | null {
  if (gpu?.lost) gpu = null;
  if (!gpu && tries < MOST_TRIES) {
    tries += 1;
    gpu = Gpu.open();
  }
  return gpu;
}

/** Draws `shot` on the whole canvas, with the box around it if there is a theme for it; says by what means. */
export function takePicture(
  canvas: HTMLCanvasElement,
  shot: Shot,
  box: BoxTheme | null,
  ratio: number,
): Means {
  const target = canvas.getContext("2d")!;
  const { width, height } = canvas;
  target.clearRect(0, 0, width, height);
  if (width === 0 || height === 0) return "gpu";
  if (box) drawBox(target, shot.picture, shot.matrix, box, ratio);
  const card = opened();
  if (card) card.draw(target, width, height, shot);
  else drawPoints(target, shot);
  if (box) drawAxes(target, shot.picture, shot.matrix, box, ratio);
  return card ? "gpu" : "cpu";
}

let scratch: HTMLCanvasElement | null = null;

function drawPoints(target: CanvasRenderingContext2D, shot: Shot): void {
  const { width, height } = target.canvas;
  const pixels = emptyPixels(width, height);
  splat(pixels, { ...shot, points: shot.picture.points, colors: shot.picture.colors });
  scratch ??= document.createElement("canvas");
  scratch.width = width;
  scratch.height = height;
  const image = new ImageData(pixels.data as Uint8ClampedArray<ArrayBuffer>, width, height);
  scratch.getContext("2d")!.putImageData(image, 0, 0);
  target.drawImage(scratch, 0, 0);
}
