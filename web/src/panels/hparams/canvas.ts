/** A canvas that is as sharp as the screen: sized to its box, cleared, measured in CSS pixels. */

export interface Size {
  width: number;
  height: number;
}

/** Null where there is nothing to draw on. */
export function penFor(
  canvas: HTMLCanvasElement | null,
  { width, height }: Size,
): CanvasRenderingContext2D | null {
  const pen = canvas?.getContext("2d") ?? null;
  if (!canvas || !pen || width <= 0 || height <= 0) return null;
  const ratio = window.devicePixelRatio || 1;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}
