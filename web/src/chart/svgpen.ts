/**
 * A pen that writes SVG: the same drawing code as on the screen, as a small file of shapes and text. Text stays text,
 * in the fonts named; any name is written so that the file stays well-formed.
 */

import type { Pen } from "./pen";

interface State {
  dx: number;
  dy: number;
  /** Rectangles around what is drawn now. */
  clips: number;
}

const ANCHORS: Partial<Record<CanvasTextAlign, string>> = { center: "middle", right: "end", end: "end" };

export class SvgPen implements Pen {
  strokeStyle = "";
  fillStyle = "";
  globalAlpha = 1;
  lineWidth = 1;
  lineJoin: CanvasLineJoin = "miter";
  lineCap: CanvasLineCap = "butt";
  font = "";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  readonly #measure: (text: string, font: string) => number;
  readonly #parts: string[] = [];
  #path: string[] = [];
  /** Where the path has come to, in hundredths: differences of rounded places do not drift. */
  #x = 0;
  #y = 0;
  #dash = "";
  #rect: number[] = [];
  #state: State = { dx: 0, dy: 0, clips: 0 };
  readonly #saved: State[] = [];

  constructor(measure: (text: string, font: string) => number) {
    this.#measure = measure;
  }

  /** The whole file. `title` is what a reader of the screen says, as the browser's tip does. */
  toString(size: { width: number; height: number }, title: string): string {
    const { width, height } = size;
    const box = `width="${short(width)}" height="${short(height)}" viewBox="0 0 ${short(width)} ${short(height)}"`;
    return `${[
      `<svg xmlns="http://www.w3.org/2000/svg" ${box} role="img">`,
      `<title>${escaped(title)}</title>`,
      ...this.#parts,
      "</svg>",
    ].join("\n")}\n`;
  }

  beginPath(): void {
    this.#path = [];
  }

  moveTo(x: number, y: number): void {
    this.#x = hundredths(x + this.#state.dx);
    this.#y = hundredths(y + this.#state.dy);
    this.#path.push(`M${this.#x / 100} ${this.#y / 100}`);
  }

  lineTo(x: number, y: number): void {
    const nextX = hundredths(x + this.#state.dx);
    const nextY = hundredths(y + this.#state.dy);
    this.#path.push(`l${pair((nextX - this.#x) / 100, (nextY - this.#y) / 100)}`);
    this.#x = nextX;
    this.#y = nextY;
  }

  closePath(): void {
    this.#path.push("z");
  }

  /** Only whole circles are drawn. */
  arc(x: number, y: number, radius: number): void {
    const r = short(radius);
    this.moveTo(x - radius, y);
    this.#path.push(`a${r} ${r} 0 1 0 ${short(2 * radius)} 0a${r} ${r} 0 1 0 ${short(-2 * radius)} 0z`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.#rect = [x + this.#state.dx, y + this.#state.dy, width, height];
    this.#path.push(`h${short(width)}v${short(height)}h${short(-width)}z`);
  }

  stroke(): void {
    if (this.#path.length === 0) return;
    const { lineWidth, lineJoin, lineCap } = this;
    const look = [
      `stroke="${escaped(String(this.strokeStyle))}"`,
      lineWidth === 1 ? "" : `stroke-width="${short(lineWidth)}"`,
      this.#dash === "" ? "" : `stroke-dasharray="${this.#dash}"`,
      lineJoin === "miter" ? "" : `stroke-linejoin="${lineJoin}"`,
      lineCap === "butt" ? "" : `stroke-linecap="${lineCap}"`,
      this.#opacity(),
    ];
    this.#add(`<path fill="none" ${look.filter(Boolean).join(" ")} d="${this.#d()}"/>`);
  }

  fill(): void {
    if (this.#path.length > 0) this.#add(`<path ${this.#paint()} d="${this.#d()}"/>`);
  }

  /**
   * Only a rectangle clips. It is an image within the image, which needs no name: names would clash where several files
   * are put into one page.
   */
  clip(): void {
    const [x, y, width, height] = this.#rect.map(short);
    this.#add(
      `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">`,
    );
    this.#state.clips += 1;
  }

  save(): void {
    this.#saved.push({ ...this.#state });
  }

  restore(): void {
    const before = this.#saved.pop();
    if (before === undefined) return;
    for (let open = this.#state.clips; open > before.clips; open--) this.#add("</svg>");
    this.#state = before;
  }

  translate(x: number, y: number): void {
    this.#state.dx += x;
    this.#state.dy += y;
  }

  setLineDash(dash: Iterable<number>): void {
    this.#dash = [...dash].map(short).join(" ");
  }

  fillText(text: string, x: number, y: number): void {
    if (text === "") return;
    const { weight, px, families } = fontParts(this.font);
    const anchor = ANCHORS[this.textAlign];
    // Not every program knows `dominant-baseline`: the middle of a line lies about a third of its size above its foot.
    const down = this.textBaseline === "middle" ? 0.355 * px : 0;
    const at = `x="${short(x + this.#state.dx)}" y="${short(y + this.#state.dy + down)}"`;
    const look = [
      at,
      `font-family="${escaped(families)}" font-size="${short(px)}"`,
      weight === "400" ? "" : `font-weight="${weight}"`,
      anchor === undefined ? "" : `text-anchor="${anchor}"`,
      this.#paint(),
      'xml:space="preserve"',
    ];
    this.#add(`<text ${look.filter(Boolean).join(" ")}>${escaped(text)}</text>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const at = `x="${short(x + this.#state.dx)}" y="${short(y + this.#state.dy)}"`;
    this.#add(`<rect ${at} width="${short(width)}" height="${short(height)}" ${this.#paint()}/>`);
  }

  measureText(text: string): TextMetrics {
    return { width: this.#measure(text, this.font) } as TextMetrics;
  }

  #add(part: string): void {
    this.#parts.push(part);
  }

  #d(): string {
    return this.#path.join("");
  }

  #paint(): string {
    return `fill="${escaped(String(this.fillStyle))}"${this.globalAlpha === 1 ? "" : ` ${this.#opacity()}`}`;
  }

  #opacity(): string {
    return this.globalAlpha === 1 ? "" : `opacity="${short(this.globalAlpha)}"`;
  }
}

/** "600 13px Inter, sans-serif" in its parts. */
function fontParts(font: string): { weight: string; px: number; families: string } {
  const [, weight = "400", px = "11", families = "sans-serif"] = /^(\d+) ([\d.]+)px (.*)$/.exec(font) ?? [];
  return { weight, px: Number(px), families };
}

function hundredths(value: number): number {
  return Math.round(value * 100);
}

/** A number to a hundredth, without what can be left out. */
function short(value: number): string {
  const text = String(hundredths(value) / 100);
  return text.replace(/^(-?)0\./, "$1.");
}

/** Two numbers; a minus sign parts them as well as a space does. */
function pair(a: number, b: number): string {
  const second = short(b);
  return short(a) + (second.startsWith("-") ? second : ` ${second}`);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const UNKNOWN = "\ufffd";

/** Text for XML: marks escaped, and what XML cannot hold at all replaced by a sign that says so. */
export function escaped(text: string): string {
  let written = "";
  for (const letter of text) {
    written += ENTITIES[letter] ?? (isXml(letter.codePointAt(0)!) ? letter : UNKNOWN);
  }
  return written;
}

/** Whether XML 1.0 can hold a character: no control characters, no halves of a pair. */
function isXml(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
