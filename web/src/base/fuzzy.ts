/** How well a text answers what was typed: whole words before pieces, pieces before scattered letters. */

export interface Match {
  /** Greater is better. */
  score: number;
  /** The matched stretch of the text, [start, end), for marking; null where letters are scattered. */
  span: readonly [number, number] | null;
}

const WHOLE = 100;
const START = 80;
const WORD_START = 60;
const INSIDE = 40;
const ALL_WORDS = 25;
const SCATTERED = 10;
/** Short texts say more than long ones that hold the same letters. */
const SHORTER = 8;
const WORD_BREAK = /[\s/_.:=,()[\]-]/;

/** Null if the text does not answer. Case does not matter. */
export function match(text: string, typed: string): Match | null {
  const needle = typed.trim().toLowerCase();
  const hay = text.toLowerCase();
  if (needle === "") return { score: 0, span: null };
  const bonus = (SHORTER * needle.length) / Math.max(needle.length, hay.length);
  const start = bestStart(hay, needle);
  if (start >= 0) {
    return { score: stretchScore(hay, needle, start) + bonus, span: [start, start + needle.length] };
  }
  const words = needle.split(/\s+/);
  if (words.length > 1 && words.every((word) => hay.includes(word)))
    return { score: ALL_WORDS + bonus, span: null };
  const tightness = scattered(hay, needle);
  return tightness === null ? null : { score: SCATTERED * tightness + bonus / 2, span: null };
}

/** Where the typed text stands, at the beginning of a word if anywhere. */
function bestStart(hay: string, needle: string): number {
  const first = hay.indexOf(needle);
  for (let at = first; at >= 0; at = hay.indexOf(needle, at + 1)) if (beginsWord(hay, at)) return at;
  return first;
}

function stretchScore(hay: string, needle: string, start: number): number {
  if (hay.length === needle.length) return WHOLE;
  if (start === 0) return START;
  return beginsWord(hay, start) ? WORD_START : INSIDE;
}

function beginsWord(text: string, at: number): boolean {
  return at === 0 || WORD_BREAK.test(text[at - 1]!);
}

/** The letters in their order with others between: 1 if they are close together, towards 0 if far; null if not there. */
function scattered(hay: string, needle: string): number | null {
  const letters = needle.replace(/\s+/g, "");
  // Two letters are somewhere in every text.
  if (letters.length < 3) return null;
  let from = -1;
  let at = -1;
  for (const letter of letters) {
    at = hay.indexOf(letter, at + 1);
    if (at < 0) return null;
    if (from < 0) from = at;
  }
  const spread = at - from + 1;
  return spread > 3 * letters.length ? null : letters.length / spread;
}
