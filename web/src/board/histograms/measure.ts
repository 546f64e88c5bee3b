/** Measures text in a font; without a canvas, as in tests, it estimates. */

const ruler = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");

export function measureWith(font: string): (text: string) => number {
  return (text) => {
    if (!ruler) return 6 * text.length;
    ruler.font = font;
    return ruler.measureText(text).width;
  };
}
