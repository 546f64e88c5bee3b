/** Scores how well a text matches what was typed: whole words before parts of words, those before scattered letters. */

export interface Match {
  /** Higher is better. */
  score: number;
  /** The matched part of the text, [start, end), for highlighting; null for scattered letters. */
  span: readonly [number, number] | null;
}

/** The score of a text that does not match. */
export const NO_MATCH = -1;

const WHOLE = 100;
const START = 80;
const WORD_START = 60;
const INSIDE = 40;
const ALL_WORDS = 25;
const SCATTERED = 10;
/** A short text is a better match than a long one with the same letters. */
const SHORTER = 8;
const WORD_BREAKS = new Set(" \t\n/_.:=,;()[]-");

/** Null if the text does not match. Case-insensitive. */
export function match(text: string, typed: string): Match | null {
  const needle = typed.trim().toLowerCase();
  const hay = text.toLowerCase();
  const score = scoreOf(hay, needle);
  if (score === NO_MATCH) return null;
  const start = needle === "" ? -1 : bestStart(hay, needle);
  return { score, span: start < 0 ? null : [start, start + needle.length] };
}

/** The score of `match` for large numbers of texts: both in lower case, `needle` trimmed. Allocates nothing. */
export function scoreOf(hay: string, needle: string): number {
  if (needle === "") return 0;
  const bonus = (SHORTER * needle.length) / Math.max(needle.length, hay.length);
  const start = bestStart(hay, needle);
  if (start >= 0) return stretchScore(hay, needle, start) + bonus;
  if (needle.includes(" ")) {
    const words = needle.split(/\s+/);
    if (words.every((word) => hay.includes(word))) return ALL_WORDS + bonus;
  }
  const tightness = scattered(hay, needle);
  return tightness === 0 ? NO_MATCH : SCATTERED * tightness + bonus / 2;
}

/** The position of the typed text, at the start of a word if possible; -1 if absent. */
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
  return at === 0 || WORD_BREAKS.has(text[at - 1]!);
}

/** The letters in order with others between: 1 if close together, towards 0 if far apart; 0 if absent. */
function scattered(hay: string, needle: string): number {
  let from = -1;
  let at = -1;
  let letters = 0;
  for (let i = 0; i < needle.length; i++) {
    if (needle[i] === " ") continue;
    at = hay.indexOf(needle[i]!, at + 1);
    if (at < 0) return 0;
    if (from < 0) from = at;
    letters++;
  }
  const spread = at - from + 1;
  // Two letters occur in almost every text.
  return letters < 3 || spread > 3 * letters ? 0 : letters / spread;
}
