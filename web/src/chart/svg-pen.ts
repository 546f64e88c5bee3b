/**
 * A pen that writes SVG: the drawing code of the screen, as a small file of shapes and text. Text stays text in the
 * given fonts; names are escaped, so that the file is well-formed.
 */

import type { Pen } from "./pen";

interface State {
  dx: number;
  dy: number;
  /** Number of open clip rectangles. */
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
  /** The current point of the path in hundredths, so that rounding errors of relative coordinates do not add up. */
  #x = 0;
  #y = 0;
  #dash = "";
  #rect: number[] = [];
  #state: State = { dx: 0, dy: 0, clips: 0 };
  readonly #saved: State[] = [];

  constructor(measure: (text: string, font: string) => number) {
    this.#measure = measure;
  }

  /** The complete file. `title` is what screen readers announce and the browser shows as a tooltip. */
  toString(size: { width: number; height: number }, title: string): string {
    const { width, height } = size;
    const box = `width="${formatNumber(width)}" height="${formatNumber(height)}" viewBox="0 0 ${formatNumber(width)} ${formatNumber(height)}"`;
    return `${[
      `<svg xmlns="http://www.w3.org/2000/svg" ${box} role="img">`,
      `<title>${escapeXml(title)}</title>`,
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
    this.#path.push(`l${formatPair((nextX - this.#x) / 100, (nextY - this.#y) / 100)}`);
    this.#x = nextX;
    this.#y = nextY;
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    const { dx, dy } = this.#state;
    const [fromX, fromY] = [this.#x, this.#y];
    const from = (at: number, start: number) => (hundredths(at) - start) / 100;
    this.#x = hundredths(x + dx);
    this.#y = hundredths(y + dy);
    const pairs = [
      formatPair(from(x1 + dx, fromX), from(y1 + dy, fromY)),
      formatPair(from(x2 + dx, fromX), from(y2 + dy, fromY)),
      formatPair((this.#x - fromX) / 100, (this.#y - fromY) / 100),
    ];
    this.#path.push(`c${pairs.join(" ")}`);
  }

  closePath(): void {
    this.#path.push("z");
  }

  /** Supports only full circles. */
  arc(x: number, y: number, radius: number): void {
    const r = formatNumber(radius);
    this.moveTo(x - radius, y);
    this.#path.push(
      `a${r} ${r} 0 1 0 ${formatNumber(2 * radius)} 0a${r} ${r} 0 1 0 ${formatNumber(-2 * radius)} 0z`,
    );
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.#rect = [x + this.#state.dx, y + this.#state.dy, width, height];
    this.#path.push(`h${formatNumber(width)}v${formatNumber(height)}h${formatNumber(-width)}z`);
  }

  stroke(): void {
    if (this.#path.length === 0) return;
    const { lineWidth, lineJoin, lineCap } = this;
    const look = [
      `stroke="${escapeXml(String(this.strokeStyle))}"`,
      lineWidth === 1 ? "" : `stroke-width="${formatNumber(lineWidth)}"`,
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
   * Supports only rectangles. A nested image clips without an id; ids would clash if several files are put into one
   * page.
   */
  clip(): void {
    const [x, y, width, height] = this.#rect.map(formatNumber);
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
    this.#dash = [...dash].map(formatNumber).join(" ");
  }

  fillText(text: string, x: number, y: number): void {
    if (text === "") return;
    const { weight, px, families } = fontParts(this.font);
    const anchor = ANCHORS[this.textAlign];
    // Not every program supports `dominant-baseline`: the middle of a line is about a third of its size above its
    // baseline.
    const down = this.textBaseline === "middle" ? 0.355 * px : 0;
    const at = `x="${formatNumber(x + this.#state.dx)}" y="${formatNumber(y + this.#state.dy + down)}"`;
    const look = [
      at,
      `font-family="${escapeXml(families)}" font-size="${formatNumber(px)}"`,
      weight === "400" ? "" : `font-weight="${weight}"`,
      anchor === undefined ? "" : `text-anchor="${anchor}"`,
      this.#paint(),
      'xml:space="preserve"',
    ];
    this.#add(`<text ${look.filter(Boolean).join(" ")}>${escapeXml(text)}</text>`);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    const at = `x="${formatNumber(x + this.#state.dx)}" y="${formatNumber(y + this.#state.dy)}"`;
    this.#add(
      `<rect ${at} width="${formatNumber(width)}" height="${formatNumber(height)}" ${this.#paint()}/>`,
    );
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
    return `fill="${escapeXml(String(this.fillStyle))}"${this.globalAlpha === 1 ? "" : ` ${this.#opacity()}`}`;
  }

  #opacity(): string {
    return this.globalAlpha === 1 ? "" : `opacity="${formatNumber(this.globalAlpha)}"`;
  }
}

/** Splits "600 13px Inter, sans-serif" into its parts. */
function fontParts(font: string): { weight: string; px: number; families: string } {
  const [, weight = "400", px = "11", families = "sans-serif"] = /^(\d+) ([\d.]+)px (.*)$/.exec(font) ?? [];
  return { weight, px: Number(px), families };
}

function hundredths(value: number): number {
  return Math.round(value * 100);
}

/** Formats a number to two decimals, as short as possible. */
function formatNumber(value: number): string {
  const text = String(hundredths(value) / 100);
  return text.replace(/^(-?)0\./, "$1.");
}

/** Formats two numbers; a minus sign separates them as well as a space. */
function formatPair(a: number, b: number): string {
  const second = formatNumber(b);
  return formatNumber(a) + (second.startsWith("-") ? second : ` ${second}`);
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const UNKNOWN = "\ufffd";

/** Escapes text for XML; characters that XML cannot contain are replaced. */
export function escapeXml(text: string): string {
  let written = "";
  for (const letter of text) {
    written += ENTITIES[letter] ?? (isXml(letter.codePointAt(0)!) ? letter : UNKNOWN);
  }
  return written;
}

/** Whether XML 1.0 can contain a character: no control characters, no unpaired surrogates. */
function isXml(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
}
