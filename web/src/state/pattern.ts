/**
 * What a filter box means: plain text found anywhere, or `/a regular expression/`. Case does not matter.
 * In the address a filter is always written as a regular expression, as TensorBoard's links have it.
 */

export interface Pattern {
  matches(text: string): boolean;
  /** First match as [start, end) for marking; null if nothing matched or everything does. */
  find(text: string): [number, number] | null;
}

export const EVERYTHING: Pattern = { matches: () => true, find: () => null };

const META = /[\\^$.*+?()[\]{}|]/;
const ESCAPED = /\\([\\^$.*+?()[\]{}|/])/g;

/** The pattern a box asks for. Throws a SyntaxError that names the fault of a regular expression. */
export function compile(text: string): Pattern {
  const asked = text.trim();
  if (asked === "") return EVERYTHING;
  const source = regexSource(asked);
  return source === null ? plain(asked) : regex(new RegExp(source, "i"));
}

/** The inside of `/…/`; null if the text is plain. A lone slash, or one still being typed, is plain. */
function regexSource(text: string): string | null {
  const closed = text.length > 2 && text.startsWith("/") && text.endsWith("/");
  return closed ? text.slice(1, -1) : null;
}

/** A plain text as the regular expression it may have been meant for, as TensorBoard's box takes it; else null. */
export function meantRegex(text: string, names: readonly string[]): string | null {
  const asked = `/${text.trim()}/`;
  if (!META.test(text) || regexSource(text.trim()) !== null) return null;
  try {
    const { matches } = compile(asked);
    return names.some(matches) ? asked : null;
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

/** A filter as the regular expression that stands in the address. */
export function toAddress(text: string): string {
  const asked = text.trim();
  const source = regexSource(asked);
  // An expression that stands between slashes itself must not be taken for one that a box was given.
  if (source !== null) return BOXED.test(source) ? `\\${source}` : source;
  return asked.replace(new RegExp(META, "g"), "\\$&");
}

/** An expression as a box takes it. */
const BOXED = /^\/.+\/$/;

/** The text of a filter box for a regular expression out of an address; one between slashes is what the box was given. */
export function fromAddress(source: string): string {
  if (BOXED.test(source)) return source;
  const unescaped = source.replace(ESCAPED, "$1");
  const bare = source.replace(ESCAPED, "");
  return META.test(bare) ? `/${source}/` : unescaped;
}
