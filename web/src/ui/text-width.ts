/** Measures the width of text on the page. */

/** Width per character if text cannot be measured. */
const LETTER_PX = 7;
let pen: CanvasRenderingContext2D | null | undefined;
const measured = new Map<string, number>();
const MEASURED_MOST = 5000;

/** The width of a text, cached: the same few values are in many rows. */
export function textPx(text: string, size: string): number {
  const key = `${size} ${text}`;
  const known = measured.get(key);
  if (known !== undefined) return known;
  if (measured.size > MEASURED_MOST) measured.clear();
  if (pen === undefined) pen = typeof document === "undefined" ? null : penOf(document);
  let px = text.length * LETTER_PX;
  if (pen) {
    pen.font = `${size} ${familyOfPage()}`;
    // The page uses tabular digits, a canvas does not.
    px = pen.measureText(text.replace(/[0-9]/g, "0")).width;
  }
  measured.set(key, px);
  return px;
}

/** Widths measured before the font loaded are wrong. */
export function forgetWidths(): void {
  measured.clear();
}

const penOf = (page: Document) => page.createElement("canvas").getContext("2d");

let family: string | undefined;

function familyOfPage(): string {
  family ??= getComputedStyle(document.body).fontFamily;
  return family;
}
