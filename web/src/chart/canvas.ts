/** Measures text with a canvas, and turns a canvas into a PNG. */

export type MeasureText = (text: string, font: string) => number;

export function measureWith(context: CanvasRenderingContext2D): MeasureText {
  return (text, font) => {
    context.font = font;
    return context.measureText(text).width;
  };
}

/** Measures with a canvas of its own. */
export function browserMeasure(): MeasureText {
  return measureWith(document.createElement("canvas").getContext("2d")!);
}

export function toPngBlob(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error("the image is too large")) : resolve(blob)),
      "image/png",
    );
  });
}
