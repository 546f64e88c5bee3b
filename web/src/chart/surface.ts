/** A canvas over the whole host element, as sharp as the screen up to two device pixels per CSS pixel. */

export interface Surface {
  canvas: HTMLCanvasElement;
  context: CanvasRenderingContext2D;
}

/** A higher resolution is not visible and costs four times the memory. */
const MAX_RATIO = 2;

export function devicePixels(): number {
  return Math.min(MAX_RATIO, Math.max(1, globalThis.devicePixelRatio || 1));
}

/** Adds a canvas as the last child of `host`. It fills the host and ignores pointers. */
export function addSurface(host: HTMLElement): Surface {
  const canvas = host.ownerDocument.createElement("canvas");
  const { style } = canvas;
  style.position = "absolute";
  style.inset = "0";
  style.width = "100%";
  style.height = "100%";
  style.pointerEvents = "none";
  canvas.setAttribute("aria-hidden", "true");
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("this browser draws no 2-D canvas");
  host.append(canvas);
  return { canvas, context };
}

/** Sets the size of the canvas, clears it, and scales the context to CSS pixels. */
export function clearSurface(
  { canvas, context }: Surface,
  width: number,
  height: number,
  ratio: number,
): void {
  const across = Math.max(1, Math.round(width * ratio));
  const down = Math.max(1, Math.round(height * ratio));
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  } else {
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, across, down);
  }
  context.setTransform(across / width || 1, 0, 0, down / height || 1, 0, 0);
}

/** Removes the canvas and frees its memory at once. */
export function removeSurface({ canvas }: Surface): void {
  canvas.remove();
  canvas.width = 0;
  canvas.height = 0;
}
