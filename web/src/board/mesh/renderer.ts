/** Renders meshes onto canvases: with WebGL where available, else on the CPU. */

import { type BoxTheme, drawAxes, drawBox } from "./box";
import { Gpu } from "./gpu";
import type { RenderInput } from "./render-input";
import { emptyPixels, splat } from "./splat";

export type Renderer = "gpu" | "cpu";

/** Number of lost contexts after which WebGL is not used any more. */
const MAX_TRIES = 3;

let gpu: Gpu | null = null;
let tries = 0;

function opened(): Gpu | null {
  if (gpu?.lost) gpu = null;
  if (!gpu && tries < MAX_TRIES) {
    tries += 1;
    gpu = Gpu.open();
  }
  return gpu;
}

/** Renders onto the whole canvas, with a box if there is a theme for it; returns the renderer used. */
export function renderMesh(
  canvas: HTMLCanvasElement,
  shot: RenderInput,
  box: BoxTheme | null,
  ratio: number,
): Renderer {
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

function drawPoints(target: CanvasRenderingContext2D, shot: RenderInput): void {
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
