/** The size of an element, and a canvas context scaled to device pixels. */

import { type RefObject, useLayoutEffect, useState } from "react";

export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element.current) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const { inlineSize, blockSize } = entry!.contentBoxSize[0]!;
      setSize({ width: Math.round(inlineSize), height: Math.round(blockSize) });
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

export interface Size {
  width: number;
  height: number;
}

/** Null without a canvas context. */
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
