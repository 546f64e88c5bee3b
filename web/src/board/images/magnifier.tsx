/** Magnifies the pixels around one point of an image, or of two overlaid images, and shows their values. */

import { useEffect, useRef } from "react";
import style from "./magnifier.module.css";
import { type Pixel, pixelAt } from "./pixels";

export interface MagnifiedPixel {
  /** Pixel of the first image. */
  x: number;
  y: number;
  /** Position in the window, in px; null if moved with keys. */
  at: { left: number; top: number } | null;
}

/** The pixel of `image` under the pointer, if `frame` shows all of it; null outside. */
export function magnifiedPixel(
  { clientX, clientY }: { clientX: number; clientY: number },
  frame: Element,
  image: HTMLImageElement,
): MagnifiedPixel | null {
  const { left, top, width, height } = frame.getBoundingClientRect();
  const [across, down] = [(clientX - left) / width, (clientY - top) / height];
  if (across < 0 || across >= 1 || down < 0 || down >= 1) return null;
  const [x, y] = [Math.floor(across * image.naturalWidth), Math.floor(down * image.naturalHeight)];
  return { x, y, at: { left: clientX, top: clientY } };
}

interface MagnifierProps {
  images: readonly HTMLImageElement[];
  spot: MagnifiedPixel;
}

/** Pixels on a side, and the size of each on the page. */
const PIXELS = 11;
const ZOOM = 9;
const SIDE_PX = PIXELS * ZOOM;
/** Distance from the pointer, which must not cover the pixel. */
const AWAY_PX = 20;

export function Magnifier({ images, spot }: MagnifierProps) {
  const [first] = images;
  if (!first) return null;
  const places = images.map((image) => placeIn(image, first, spot));
  return (
    <div
      className={style.loupe}
      style={spot.at ? besides(spot.at, images.length) : undefined}
      data-testid="loupe"
    >
      <div className={style.views} aria-hidden="true">
        {images.map((image, at) => (
          <Magnified key={image.src} image={image} {...places[at]!} />
        ))}
      </div>
      <div className={style.values}>
        <span>{`x ${spot.x} · y ${spot.y}`}</span>
        {images.map((image, at) => (
          <Value key={image.src} pixel={pixelAt(image, places[at]!.x, places[at]!.y)} />
        ))}
      </div>
    </div>
  );
}

function Value({ pixel }: { pixel: Pixel | null }) {
  const text = pixel ? rgbText(pixel) : "–";
  return (
    <span className={style.value}>
      <span
        className={style.chip}
        style={{
          background: pixel ? `rgb(${pixel[0]} ${pixel[1]} ${pixel[2]} / ${pixel[3] / 255})` : "none",
        }}
        aria-hidden="true"
      />
      {text}
    </span>
  );
}

export function rgbText([r, g, b, a]: Pixel): string {
  return a === 255 ? `rgb ${r} ${g} ${b}` : `rgba ${r} ${g} ${b} ${a}`;
}

/** The same position in an image of another size. */
function placeIn(
  image: HTMLImageElement,
  first: HTMLImageElement,
  { x, y }: MagnifiedPixel,
): { x: number; y: number } {
  const across = image.naturalWidth / Math.max(1, first.naturalWidth);
  const down = image.naturalHeight / Math.max(1, first.naturalHeight);
  return { x: Math.floor((x + 0.5) * across), y: Math.floor((y + 0.5) * down) };
}

function besides({ left, top }: { left: number; top: number }, images: number) {
  const width = images * (SIDE_PX + 8) + 24;
  const height = SIDE_PX + 72;
  return {
    left: left + AWAY_PX + width < innerWidth ? left + AWAY_PX : left - AWAY_PX - width,
    top: Math.max(8, Math.min(top + AWAY_PX, innerHeight - height)),
  };
}

function Magnified({ image, x, y }: { image: HTMLImageElement; x: number; y: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext("2d");
    if (!pen) return;
    const half = (PIXELS - 1) / 2;
    pen.imageSmoothingEnabled = false;
    pen.clearRect(0, 0, SIDE_PX, SIDE_PX);
    pen.drawImage(image, x - half, y - half, PIXELS, PIXELS, 0, 0, SIDE_PX, SIDE_PX);
    // Outline of the pixel, visible on dark and on light.
    for (const [ink, grow] of [
      ["#000", 1],
      ["#fff", 0],
    ] as const) {
      pen.strokeStyle = ink;
      pen.strokeRect(
        half * ZOOM - grow + 0.5,
        half * ZOOM - grow + 0.5,
        ZOOM - 1 + 2 * grow,
        ZOOM - 1 + 2 * grow,
      );
    }
  }, [image, x, y]);
  return <canvas ref={canvas} width={SIDE_PX} height={SIDE_PX} className={style.view} />;
}
