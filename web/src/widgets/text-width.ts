/** How wide a text is as the page draws it. */

/** Pixels of a letter where no letters can be measured. */
const LETTER_PX = 7;
let pen: CanvasRenderingContext2D | null | undefined;
const measured = new Map<string, number>();
const MEASURED_MOST = 5000;

/** Width of a text as it is drawn, kept: the same few values stand in many rows. */
export function textPx(text: string, size: string): number {
  const key = `${size} ${text}`;
  const known = measured.get(key);
  if (known !== undefined) return known;
  if (measured.size > MEASURED_MOST) measured.clear();
  if (pen === undefined) pen = typeof document === "undefined" ? null : penOf(document);
  let px = text.length * LETTER_PX;
  if (pen) {
    pen.font = `${size} ${familyOfPage()}`;
    // The page sets its figures in columns, a pen does not.
    px = pen.measureText(text.replace(/[0-9]/g, "0")).width;
  }
  measured.set(key, px);
  return px;
}

/** What was measured before the page had its font says nothing. */
export function forgetWidths(): void {
  measured.clear();
}

const penOf = (page: Document) => page.createElement("canvas").getContext("2d");

let family: string | undefined;

function familyOfPage(): string {
  family ??= getComputedStyle(document.body).fontFamily;
  return family;
}
