/**
 * Natural order: numbers inside names compare as numbers. `layer_2` comes before `layer_10`, `lr-0.05` before
 * `lr-0.2`, `1e-4` before `1e-3`.
 */

type Part = string | number;

const NUMBER = /(\d+(?:\.\d+)*(?:e[+-]?\d{1,3})?)/i;
const collator = new Intl.Collator("en", { sensitivity: "base" });
const KEPT = 50_000;
const cache = new Map<string, readonly Part[]>();

export function naturalOrder(a: string, b: string): number {
  if (a === b) return 0;
  const first = partsOf(a);
  const second = partsOf(b);
  for (let at = 0; at < first.length && at < second.length; at++) {
    const order = comparePart(first[at]!, second[at]!);
    if (order !== 0) return order;
  }
  return first.length - second.length || collator.compare(a, b) || (a < b ? -1 : 1);
}

/**
 * Splits a name into text and numbers, alternating, text first. Cached, since a sort compares the same name many
 * times.
 */
function partsOf(name: string): readonly Part[] {
  const cached = cache.get(name);
  if (cached) return cached;
  if (cache.size >= KEPT) cache.clear();
  const parts = name.split(NUMBER).flatMap((part, at): Part[] => (at % 2 === 1 ? numbers(part) : [part]));
  cache.set(name, parts);
  return parts;
}

/** One number, or several for a version: 1.10.2 is not a fraction. */
function numbers(text: string): number[] {
  const whole = Number(text);
  return Number.isNaN(whole) ? text.split(".").map(Number) : [whole];
}

function comparePart(a: Part, b: Part): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return collator.compare(String(a), String(b));
}
