/** Draws a waveform: one lane per channel, from the lowest to the highest sample of each pixel. */

import type { ClipPeaks } from "../../api/audio";

const FULL = 127;

/** Lowest and highest value of the columns at pixel `x` of `width`; null if there are none. */
export function pixelRange(
  low: readonly number[],
  high: readonly number[],
  x: number,
  width: number,
): [number, number] | null {
  const count = low.length;
  if (count === 0) return null;
  const begin = Math.min(count - 1, Math.floor((x * count) / width));
  const end = Math.max(begin + 1, Math.floor(((x + 1) * count) / width));
  let least = FULL;
  let most = -FULL;
  for (let at = begin; at < end; at++) {
    least = Math.min(least, low[at]!);
    most = Math.max(most, high[at]!);
  }
  return [least, most];
}

/** Extends a column to the previous one, so that the waveform has no gaps. */
export function joinToPrevious(range: [number, number], before: [number, number] | null): [number, number] {
  if (!before) return range;
  return [Math.min(range[0], before[1]), Math.max(range[1], before[0])];
}

/** `line` is the colour of silence. */
export function drawWaveform(canvas: HTMLCanvasElement, peaks: ClipPeaks, color: string, line: string): void {
  const ratio = window.devicePixelRatio || 1;
  const width = Math.round(canvas.clientWidth * ratio);
  const height = Math.round(canvas.clientHeight * ratio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.clearRect(0, 0, width, height);
  const lanes = Math.max(1, peaks.low.length);
  const tall = height / lanes;
  peaks.low.forEach((low, lane) => {
    const middle = tall * (lane + 0.5);
    pen.fillStyle = line;
    pen.fillRect(0, Math.round(middle), width, 1);
    pen.fillStyle = color;
    let before: [number, number] | null = null;
    for (let x = 0; x < width; x++) {
      const range = pixelRange(low, peaks.high[lane]!, x, width);
      if (!range) return;
      const [least, most] = joinToPrevious(range, before);
      const top = middle - (most / FULL) * (tall / 2 - 1);
      const foot = middle - (least / FULL) * (tall / 2 - 1);
      pen.fillRect(x, top, 1, Math.max(1, foot - top));
      before = range;
    }
  });
}
