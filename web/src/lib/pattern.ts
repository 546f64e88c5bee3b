/**
 * Parses a filter box: plain text found anywhere, or `/a regular expression/`. Matching is case-insensitive. In the
 * address a filter is always a regular expression, as in TensorBoard's links.
 */

export interface Pattern {
  matches(text: string): boolean;
  /** The first match as [start, end) for highlighting; null if nothing matched or everything does. */
  find(text: string): [number, number] | null;
}

export const EVERYTHING: Pattern = { matches: () => true, find: () => null };

const META = /[\\^$.*+?()[\]{}|]/;
const ESCAPED = /\\([\\^$.*+?()[\]{}|/])/g;

/** Compiles the text of a filter box. Throws a SyntaxError with the reason for an invalid regular expression. */
export function compile(text: string): Pattern {
  const trimmed = text.trim();
  if (trimmed === "") return EVERYTHING;
  const source = regexSource(trimmed);
  return source === null ? plain(trimmed) : regex(new RegExp(source, "i"));
}

/**
 * The expression inside `/…/`; null for plain text. A single slash, or an expression still being typed, is plain
 * text.
 */
function regexSource(text: string): string | null {
  const closed = text.length > 2 && text.startsWith("/") && text.endsWith("/");
  return closed ? text.slice(1, -1) : null;
}

/** The plain text as a regular expression, if it was probably meant as one, as in TensorBoard; otherwise null. */
export function suggestedRegex(text: string, names: readonly string[]): string | null {
  const boxed = `/${text.trim()}/`;
  if (!META.test(text) || regexSource(text.trim()) !== null) return null;
  try {
    const { matches } = compile(boxed);
    return names.some(matches) ? boxed : null;
  } catch {
    return null;
  }
}

function plain(text: string): Pattern {
  const needle = text.toLowerCase();
  const find = (hay: string): [number, number] | null => {
    const start = hay.toLowerCase().indexOf(needle);
    return start < 0 ? null : [start, start + needle.length];
  };
  return { matches: (hay) => hay.toLowerCase().includes(needle), find };
}

function regex(expression: RegExp): Pattern {
  const find = (hay: string): [number, number] | null => {
    const match = expression.exec(hay);
    return match && match[0].length > 0 ? [match.index, match.index + match[0].length] : null;
  };
  return { matches: (hay) => expression.test(hay), find };
}

/** The regular expression of a filter for the address. */
export function toAddress(text: string): string {
  const trimmed = text.trim();
  const source = regexSource(trimmed);
  // An expression that has slashes around it must not be mistaken for the `/…/` of a filter box.
  if (source !== null) return BOXED.test(source) ? `\\${source}` : source;
  return trimmed.replace(new RegExp(META, "g"), "\\$&");
}

/** An expression in the `/…/` form of a filter box. */
const BOXED = /^\/.+\/$/;

/** The text of the filter box for a regular expression from an address. */
export function fromAddress(source: string): string {
  if (BOXED.test(source)) return source;
  const unescaped = source.replace(ESCAPED, "$1");
  const bare = source.replace(ESCAPED, "");
  return META.test(bare) ? `/${source}/` : unescaped;
}
