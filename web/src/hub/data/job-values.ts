/** Values of a job as they are typed: hyperparameters, sizes of memory, durations. As the command line reads them. Pure. */

const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;
/** A number with more digits is probably an id, which a double would change. */
const EXACT_DIGITS = 15;

/** A number, `true` or `false` as JSON writes them, or the text itself. */
export function typedValue(text: string): boolean | number | string {
  if (text === "true" || text === "false") return text === "true";
  if (!NUMBER.test(text) || text.replace(/\D/g, "").length > EXACT_DIGITS) return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

const MEMORY_UNITS: readonly (readonly [name: string, bytes: number])[] = [
  ["T", 2 ** 40],
  ["G", 2 ** 30],
  ["M", 2 ** 20],
];
const MOST_MEMORY = 2 ** 50;

/** The bytes of a size such as `512M` or `1.5G`; null for any other text. */
export function memoryBytes(text: string): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*([MGT])(?:i?B)?$/i.exec(text.trim()) ?? [];
  const factor = MEMORY_UNITS.find(([name]) => name === unit?.toUpperCase())?.[1] ?? 0;
  const bytes = Math.floor(Number(amount) * factor);
  return bytes >= 2 ** 20 && bytes <= MOST_MEMORY ? bytes : null;
}

/** A size with its largest unit: `512M`, `1.5G`. */
export function memoryText(bytes: number): string {
  const [name, factor] = memoryUnit(bytes);
  return `${Number((bytes / factor).toFixed(3))}${name}`;
}

/** A size that is no round number, to three digits: `340M`, `1.9G`; `0` for nothing. */
export function measuredMemoryText(bytes: number): string {
  if (bytes <= 0) return "0";
  const [name, factor] = memoryUnit(bytes);
  const amount = bytes / factor;
  return `${Number(amount.toFixed(amount >= 100 ? 0 : 1))}${name}`;
}

const memoryUnit = (bytes: number) =>
  MEMORY_UNITS.find(([, factor]) => bytes >= factor) ?? MEMORY_UNITS.at(-1)!;

const SPAN = /^(?:(\d+)d)?\s*(?:(\d+)h)?\s*(?:(\d+)m)?\s*(?:(\d+)s)?$/i;
const SPAN_UNITS: readonly (readonly [name: string, secs: number])[] = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
  ["s", 1],
];

/** The seconds of a duration such as `1d2h30m`; 0 for no text and "0", null for any other. */
export function spanSecs(typed: string): number | null {
  const text = typed.trim();
  if (text === "" || text === "0") return 0;
  const parts = SPAN.exec(text)?.slice(1);
  if (!parts) return null;
  return parts.reduce((sum, part, at) => sum + Number(part ?? 0) * SPAN_UNITS[at]![1], 0);
}

/** A duration as `spanSecs` reads it, "" for none. */
export function spanText(secs: number): string {
  let left = Math.round(secs);
  let text = "";
  for (const [name, size] of SPAN_UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) text += `${count}${name}`;
    left -= count * size;
  }
  return text;
}

/** A whole number between two bounds; null for any other text. */
export function wholeNumber(text: string, min: number, max: number): number | null {
  if (!/^\d+$/.test(text.trim())) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}
