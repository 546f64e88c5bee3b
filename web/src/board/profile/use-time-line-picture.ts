/** The canvas of a time line: as large as the place around it, and drawn when something of the picture changes. */

import { useLayoutEffect, useState } from "react";
import { readTheme } from "../../chart/theme";
import { type Drawing, drawTimeLine } from "./time-line-draw";

interface Size {
  width: number;
  height: number;
}

export type Picture = Omit<Drawing, "width" | "height" | "theme">;

/** Draws a picture; nothing if there is none yet. */
export function useTimeLinePicture(
  canvas: { current: HTMLCanvasElement | null },
  size: Size,
  picture: Picture | null,
): void {
  useLayoutEffect(() => {
    const ratio = globalThis.devicePixelRatio || 1;
    const pen = canvas.current?.getContext("2d");
    if (!canvas.current || !pen || !picture || size.width <= 0) return;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (canvas.current.width !== width) canvas.current.width = width;
    if (canvas.current.height !== height) canvas.current.height = height;
    pen.setTransform(width / size.width, 0, 0, height / size.height, 0, 0);
    drawTimeLine(pen, { ...picture, ...size, theme: readTheme(canvas.current) });
  }, [canvas, picture, size]);
}

export function useScrollSize(element: { current: HTMLElement | null }) {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const node = element.current;
    if (!node) return undefined;
    const observer = new ResizeObserver(() =>
      setSize({ width: node.clientWidth, height: node.clientHeight }),
    );
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
