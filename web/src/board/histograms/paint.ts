/** Paints the cells of a heat map pixel by pixel. */

import { cellColors } from "./draw";
import type { Picture } from "./picture";
import { channelsOf } from "./ramp-colors";

/** Fills the whole plot of a picture. */
export function paintCells(context: CanvasRenderingContext2D, picture: Picture, pixelRatio: number): void {
  const { plot, edges, x, rows } = picture;
  const [left, top] = [plot.left, plot.top].map((at) => Math.round(at * pixelRatio)) as [number, number];
  const width = Math.round(plot.right * pixelRatio) - left;
  const height = Math.round(plot.bottom * pixelRatio) - top;
  if (width < 1 || height < 1) return;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const colors = wordsOf(picture.colors);
  const codes = cellColors(picture);
  pixels.fill(colors[0]!);
  for (let column = 0; column < edges.length - 1; column++) {
    const from = Math.max(0, Math.round(x.map(edges[column]!) * pixelRatio) - left);
    // Columns narrower than a pixel stay visible.
    const to = Math.min(width, Math.max(from + 1, Math.round(x.map(edges[column + 1]!) * pixelRatio) - left));
    for (let y = 0; y < height && from < to; y++) {
      const row = Math.min(rows - 1, Math.floor(((height - 1 - y + 0.5) / height) * rows));
      const code = codes[column * rows + row]!;
      if (code > 0) pixels.fill(colors[code]!, y * width + from, y * width + to);
    }
  }
  context.putImageData(image, left, top);
}

/** Pixels in memory order: alpha, blue, green, red from the highest byte down. */
function wordsOf(colors: readonly string[]): Uint32Array {
  return Uint32Array.from(colors, (shade) => {
    const [r, g, b] = channelsOf(shade).map((channel) => Math.round(255 * channel)) as [
      number,
      number,
      number,
    ];
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
}
