/**
 * Escape sequences of terminals in a line of a log: colours and emphasis become styles, everything else that a
 * terminal would obey is left out. Marks that turn or hide text are shown as they are written in programs. Pure.
 */

import { hasHiddenMarks, visibleText } from "../../../lib/visible-text";

export const COLORS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

export interface TextStyle {
  /** One of the eight colours of terminals, null for that of the text. */
  color: (typeof COLORS)[number] | null;
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
}

export const PLAIN: TextStyle = { color: null, bold: false, dim: false, italic: false, underline: false };

export interface Span {
  text: string;
  style: TextStyle;
}

/**
 * CSI (`ESC [ … letter`), OSC (`ESC ] … BEL`, as for links and titles), other escapes, and control characters except
 * the tabulator.
 */
const CONTROL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /\x1b\[([0-9:;<=>?]*)[ -/]*([@-~])|\x1b[\]PX^_].*?(?:\x07|\x1b\\|$)|\x1b[^\x1b]?|[\x00-\x08\x0a-\x1a\x1c-\x1f\x7f-\x9f]/g;

/** Whether the text has anything that `spansOf` would change. */
export const hasControls = (text: string) => hasHiddenMarks(text) || text.includes("\n");

/** The spans of a line that begins in a style, and the style in which the next line begins. */
export function spansOf(line: string, begin: TextStyle): { spans: Span[]; end: TextStyle } {
  const spans: Span[] = [];
  let style = begin;
  let at = 0;
  const add = (part: string) => {
    const text = visibleText(part);
    const last = spans.at(-1);
    if (last?.style === style) last.text += text;
    else if (text !== "") spans.push({ text, style });
  };
  for (const match of line.matchAll(CONTROL)) {
    add(line.slice(at, match.index));
    at = match.index + match[0].length;
    if (match[2] === "m") style = styledBy(style, match[1]!);
  }
  add(line.slice(at));
  return { spans, end: style };
}

/** A line without escape sequences. */
export function plainText(line: string): string {
  return hasControls(line) ? visibleText(line.replace(CONTROL, "")) : line;
}

/** The style after the numbers of one "select graphic rendition". */
function styledBy(before: TextStyle, parameters: string): TextStyle {
  const style = { ...before };
  const codes = parameters.split(/[;:]/).map(Number);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    if (code === 0) Object.assign(style, PLAIN);
    else if (code === 1) style.bold = true;
    else if (code === 2) style.dim = true;
    else if (code === 3) style.italic = true;
    else if (code === 4) style.underline = true;
    else if (code === 22) style.bold = style.dim = false;
    else if (code === 23) style.italic = false;
    else if (code === 24) style.underline = false;
    else if (code >= 30 && code <= 37) style.color = COLORS[code - 30]!;
    else if (code >= 90 && code <= 97) style.color = COLORS[code - 90]!;
    else if (code === 39) style.color = null;
    else if (code === 38 || code === 48) {
      const [color, used] = extendedColor(codes.slice(at + 1));
      if (code === 38) style.color = color;
      at += used;
    }
  }
  return style;
}

/** Of 256 or 16 million colours the nearest of the eight, which can be read in either theme. */
function extendedColor([kind, ...values]: number[]): [color: TextStyle["color"], used: number] {
  if (kind === 2) return [nearestColor(values[0] ?? 0, values[1] ?? 0, values[2] ?? 0), 4];
  if (kind !== 5) return [null, 0];
  const index = values[0] ?? 0;
  if (index < 16) return [COLORS[index % 8]!, 2];
  if (index >= 232) return [null, 2];
  const levels = [Math.floor((index - 16) / 36), Math.floor((index - 16) / 6) % 6, (index - 16) % 6];
  return [nearestColor(levels[0]! * 51, levels[1]! * 51, levels[2]! * 51), 2];
}

/** By hue; greys are as the text. */
function nearestColor(red: number, green: number, blue: number): TextStyle["color"] {
  const most = Math.max(red, green, blue);
  if (most - Math.min(red, green, blue) < 40) return null;
  const bit = (level: number, value: number) => (level > most * 0.6 ? value : 0);
  return COLORS[bit(red, 1) + bit(green, 2) + bit(blue, 4)]!;
}
