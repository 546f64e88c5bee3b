/**
 * Shortens names of tags or runs that are shown together: common parts are left out, and the rest is cut where it
 * distinguishes least. Pure.
 */

export interface ShortNames {
  /** The common part: "loss" of "train/loss" and "eval/loss"; empty if there is none. */
  common: string;
  /** The distinguishing part of each, in order. */
  each: readonly string[];
}

export function shortNames(names: readonly string[]): ShortNames {
  const paths = names.map((name) => name.split("/"));
  const head = sharedParts(paths);
  const tail = sharedParts(paths.map((path) => path.slice(head).reverse()));
  const rests = paths.map((path) => path.slice(head, path.length - tail).join("/"));
  const telling = rests.every((rest) => rest !== "") && new Set(rests).size === new Set(names).size;
  if (!telling || names.length === 0) return { common: "", each: names };
  const first = paths[0]!;
  return { common: [...first.slice(0, head), ...first.slice(first.length - tail)].join("/"), each: rests };
}

/** The common prefix of whole parts: "model/decoder/" of tags below that; empty if there is none. */
export function sharedPrefix(names: readonly string[]): string {
  const paths = names.map((name) => name.split("/"));
  return (paths[0] ?? [])
    .slice(0, sharedParts(paths))
    .map((part) => `${part}/`)
    .join("");
}

/** The number of leading parts that all paths share; all of them for a single path. */
function sharedParts(paths: readonly (readonly string[])[]): number {
  const [first, ...others] = paths;
  if (!first) return 0;
  const shortest = Math.min(...paths.map((path) => path.length));
  let shared = 0;
  while (shared < shortest - 1 && others.every((path) => path[shared] === first[shared])) shared += 1;
  return shared;
}

/**
 * Cuts a name in its middle until it fits: by whole parts as long as one fits beside the last, "imagenet1k/…/seed0",
 * then by letters.
 */
export function cutInMiddle(name: string, fits: (text: string) => boolean): string {
  if (fits(name)) return name;
  const parts = name.split("/");
  for (let partCount = parts.length - 1; partCount > 0; partCount--) {
    const tail = Math.ceil(partCount / 2);
    const text = [...parts.slice(0, partCount - tail), "…", ...parts.slice(-tail)].join("/");
    if (fits(text)) return text;
  }
  const letters = [...parts.at(-1)!];
  let [least, most] = [0, letters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(lettersKept(letters, middle))) least = middle;
    else most = middle - 1;
  }
  return lettersKept(letters, least);
}

function lettersKept(letters: readonly string[], count: number): string {
  const tail = Math.ceil(count / 2);
  return [...letters.slice(0, count - tail), "…", ...letters.slice(letters.length - tail)].join("");
}

/** Maximum length of the end of a name that stays when its beginning is cut off. */
const END = 8;
const LAST_PART = 16;
/** Names up to this length are not split. */
const SHORT = 12;

/** Where to split a name whose beginning may be cut off: before its last part, unless that is long itself. */
export function endOf(name: string): number {
  if ([...name].length <= SHORT) return name.length;
  const slash = name.lastIndexOf("/", name.length - 2);
  return slash > 0 && name.length - slash <= LAST_PART ? slash : [...name].slice(0, -END).join("").length;
}

/** Number of names that are measured: the longest ones decide. */
const MEASURED = 32;

/**
 * The width at which no two names look alike when their beginnings are cut off at `endOf`: of names with equal ends,
 * the common beginning and one more letter must be visible.
 */
export function distinguishingWidth(names: Iterable<string>, widthOf: (text: string) => number): number {
  const begins = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const at = endOf(name);
    const [begin, end] = [name.slice(0, at), name.slice(at)];
    const alike = begins.get(end);
    if (alike) alike.push(begin);
    else begins.set(end, [begin]);
  }
  const texts: string[] = [];
  for (const [end, alike] of begins) {
    alike.sort();
    for (let at = 1; at < alike.length; at++) {
      const seen = sharedLetters(alike[at - 1]!, alike[at]!) + 1;
      for (const begin of [alike[at - 1]!, alike[at]!])
        texts.push(`${begin.slice(0, seen)}${begin.length > seen ? "…" : ""}${end}`);
    }
  }
  texts.sort((a, b) => b.length - a.length);
  return texts.slice(0, MEASURED).reduce((most, text) => Math.max(most, widthOf(text)), 0);
}

/** Minimum number of letters of a part. */
const LEAST_LETTERS = 3;

/**
 * Names with each part cut to the letters that distinguish it from others in its position:
 * "ima…/vit…/lr0.001…/seed0". No two are equal. Numbers are not cut, since half of one would be another number.
 */
export function abbreviate(names: Iterable<string>): ReadonlyMap<string, string> {
  const paths = new Map([...names].map((name) => [name, name.split("/")] as const));
  const places = new Map<string, Set<string>>();
  for (const path of paths.values()) {
    path.forEach((part, at) => {
      const place = `${path.length} ${at}`;
      const parts = places.get(place);
      if (parts) parts.add(part);
      else places.set(place, new Set([part]));
    });
  }
  const cuts = new Map([...places].map(([place, parts]) => [place, cutParts(parts)] as const));
  return new Map(
    [...paths].map(([name, path]) => [
      name,
      path.map((part, at) => cuts.get(`${path.length} ${at}`)!.get(part)!).join("/"),
    ]),
  );
}

/** A beginning is preferred to a beginning and an end if it is at most this much longer. */
const READABLE = 2;

/** Cuts each part to its beginning, or to beginning and end if those distinguish it in fewer letters. */
function cutParts(parts: ReadonlySet<string>): ReadonlyMap<string, string> {
  const begins = distinguishingLengths([...parts]);
  const reversed = distinguishingLengths([...parts].map(backwards));
  return new Map(
    [...parts].map((part) => {
      const begin = `${part.slice(0, wholeNumber(part, begins.get(part)!))}…`;
      const back = backwards(part);
      const end = backwards(back.slice(0, wholeNumber(back, reversed.get(back)!)));
      const both = `${part.slice(0, wholeNumber(part, LEAST_LETTERS))}…${end}`;
      const cut = both.length + READABLE < begin.length ? both : begin;
      // Saving one or two letters is not worth the ellipsis.
      return [part, part.length > cut.length + 2 ? cut : part] as const;
    }),
  );
}

/** For each text, the number of leading letters that distinguish it. */
function distinguishingLengths(texts: readonly string[]): ReadonlyMap<string, number> {
  const sorted = texts.toSorted();
  return new Map(
    sorted.map((text, at) => {
      const before = at > 0 ? sharedLetters(sorted[at - 1]!, text) : 0;
      const after = at < sorted.length - 1 ? sharedLetters(sorted[at + 1]!, text) : 0;
      return [text, Math.max(LEAST_LETTERS, before + 1, after + 1)] as const;
    }),
  );
}

function wholeNumber(text: string, letters: number): number {
  let seen = letters;
  while (/[0-9.]/.test(text[seen] ?? "") && /[0-9.]/.test(text[seen - 1] ?? "")) seen += 1;
  return seen;
}

const backwards = (text: string) => [...text].reverse().join("");

function sharedLetters(a: string, b: string): number {
  let shared = 0;
  while (shared < a.length && a[shared] === b[shared]) shared += 1;
  return shared;
}

/**
 * Splits a name into pieces between which a line may break: after a slash or underscore, and after a hyphen as in
 * prose.
 */
export function breakablePieces(name: string): readonly string[] {
  return name.split(/(?<=[/_])|(?<=-)(?=\D)/);
}

/**
 * Shortens names of a few lines each: those that do not fit lose whole parts, all in the same way, if no two become
 * equal; otherwise each part is cut, whether it fits or not.
 */
export function cutTogether(names: readonly string[], fits: (text: string) => boolean): readonly string[] {
  if (names.every(fits)) return names;
  const paths = names.map((name) => name.split("/"));
  const different = new Set(names).size;
  const longest = Math.max(...paths.map((path) => path.length));
  for (let partCount = longest - 1; partCount > 0; partCount--) {
    for (const tail of tailsOf(partCount)) {
      const cuts = paths.map((path, at) =>
        fits(names[at]!) ? names[at]! : middleCut(path, partCount - tail, tail),
      );
      if (cuts.every(fits) && new Set(cuts).size === different) return cuts;
    }
  }
  const short = abbreviate(names);
  return names.map((name) => short.get(name)!);
}

/** Candidates for the number of kept parts behind the cut: half of them first, then nearby numbers. */
function tailsOf(partCount: number): readonly number[] {
  const half = Math.ceil(partCount / 2);
  const tails = Array.from({ length: partCount }, (_, at) => at + 1);
  return tails.sort((a, b) => Math.abs(a - half) - Math.abs(b - half) || b - a);
}

function middleCut(path: readonly string[], head: number, tail: number): string {
  if (path.length <= head + tail) return path.join("/");
  return [...path.slice(0, head), "…", ...path.slice(-tail)].join("/");
}
