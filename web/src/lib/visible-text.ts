/**
 * Text of somebody else in which every mark is seen that would turn the direction of what follows, or hide: what looks
 * like one name or command would otherwise be another. Pure.
 */

/** Those that the command line escapes, except line breaks and tabulators, which are seen as space. */
const MISLEADING =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** `text` with such marks as they are written in programs, such as `\\u202e`. */
export function visibleText(text: string): string {
  return text.replace(MISLEADING, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The same on one line, where breaks would be seen as space: two commands in a line of code read as one. */
export const visibleLine = (text: string) => visibleText(text).replace(/\s*\n\s*/g, " ↵ ");

/** Whether `visibleText` would change the text. */
export const hasHiddenMarks = (text: string) => text.search(MISLEADING) >= 0;
