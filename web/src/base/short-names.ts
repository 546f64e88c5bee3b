/** Names of tags or runs that stand together: what they share is said once, and the rest cut where it tells least. Pure. */

export interface ShortNames {
  /** What all have in common: "loss" of "train/loss" and "eval/loss"; empty if nothing. */
  common: string;
  /** What tells each from the others, in their order. */
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

/** What all begin with, whole parts of it: "model/decoder/" of tags below that; empty if nothing. */
export function sharedPrefix(names: readonly string[]): string {
  const paths = names.map((name) => name.split("/"));
  return (paths[0] ?? [])
    .slice(0, sharedParts(paths))
    .map((part) => `${part}/`)
    .join("");
}

/** How many parts all paths begin with; of none all of them. */
function sharedParts(paths: readonly (readonly string[])[]): number {
  const [first, ...others] = paths;
  if (!first) return 0;
  const shortest = Math.min(...paths.map((path) => path.length));
  let shared = 0;
  while (shared < shortest - 1 && others.every((path) => path[shared] === first[shared])) shared += 1;
  return shared;
}

/**
 * A name that has no room, cut in its middle: by whole parts as long as one fits beside the last, "imagenet1k/…/seed0",
 * then by letters. `fits` says whether a text has room.
 */
export function cutInMiddle(name: string, fits: (text: string) => boolean): string {
  if (fits(name)) return name;
  const parts = name.split("/");
  for (let kept = parts.length - 1; kept > 0; kept--) {
    const tail = Math.ceil(kept / 2);
    const text = [...parts.slice(0, kept - tail), "…", ...parts.slice(-tail)].join("/");
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

/** Letters of a name that stay to the last when its beginning gives way, or its last part up to so many. */
const END = 8;
const LAST_PART = 16;
/** Names up to this length are not parted: all of theirs is beginning. */
const SHORT = 12;

/** Where a name is parted when its beginning has to give way: before its last part, unless that is long itself. */
export function endOf(name: string): number {
  if ([...name].length <= SHORT) return name.length;
  const slash = name.lastIndexOf("/", name.length - 2);
  return slash > 0 && name.length - slash <= LAST_PART ? slash : [...name].slice(0, -END).join("").length;
}

/** Names whose width is measured: the longest decide. */
const MEASURED = 32;

/**
 * The room in which no two of the names read alike when their beginnings give way at `endOf`: of those that end alike,
 * all that they share at their beginning and a letter more must be seen.
 */
export function roomToTell(names: Iterable<string>, widthOf: (text: string) => number): number {
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

/** Letters of a part that stay, however little tells it from the others. */
const LEAST_LETTERS = 3;

/**
 * Names with each of their parts cut where it is told from all others at its place: "ima…/vit…/lr0.001…/seed0". No two
 * are alike. Numbers stay whole, for half of one would be another.
 */
export function abbreviated(names: Iterable<string>): ReadonlyMap<string, string> {
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

/** A beginning reads better than a beginning and an end, if it is longer by no more than this. */
const READABLE = 2;

/** Each part by its beginning, or by beginning and end where it is told by those in fewer letters. */
function cutParts(parts: ReadonlySet<string>): ReadonlyMap<string, string> {
  const begins = lettersToTell([...parts]);
  const reversed = lettersToTell([...parts].map(backwards));
  return new Map(
    [...parts].map((part) => {
      const begin = `${part.slice(0, wholeNumber(part, begins.get(part)!))}…`;
      const back = backwards(part);
      const end = backwards(back.slice(0, wholeNumber(back, reversed.get(back)!)));
      const both = `${part.slice(0, wholeNumber(part, LEAST_LETTERS))}…${end}`;
      const cut = both.length + READABLE < begin.length ? both : begin;
      // A letter or two are no gain over the ellipsis.
      return [part, part.length > cut.length + 2 ? cut : part] as const;
    }),
  );
}

/** By text, how many letters of its beginning no other begins with. */
function lettersToTell(texts: readonly string[]): ReadonlyMap<string, number> {
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

/** A name in pieces between which a line may break: after a slash or an underscore, and as in prose after a hyphen. */
export function breakable(name: string): readonly string[] {
  return name.split(/(?<=[/_])|(?<=-)(?=\D)/);
}

/**
 * Names that stand together where each has a few lines: those without room lose whole parts, all in one way in which no
 * two read alike; where there is none, a piece of each part, whether that has room or not.
 */
export function cutTogether(names: readonly string[], fits: (text: string) => boolean): readonly string[] {
  if (names.every(fits)) return names;
  const paths = names.map((name) => name.split("/"));
  const different = new Set(names).size;
  const longest = Math.max(...paths.map((path) => path.length));
  for (let kept = longest - 1; kept > 0; kept--) {
    for (const tail of tailsOf(kept)) {
      const cuts = paths.map((path, at) =>
        fits(names[at]!) ? names[at]! : middleCut(path, kept - tail, tail),
      );
      if (cuts.every(fits) && new Set(cuts).size === different) return cuts;
    }
  }
  const short = abbreviated(names);
  return names.map((name) => short.get(name)!);
}

/** How many of the parts that are kept stand behind the cut: half of them, else about as many. */
function tailsOf(kept: number): readonly number[] {
  const half = Math.ceil(kept / 2);
  const tails = Array.from({ length: kept }, (_, at) => at + 1);
  return tails.sort((a, b) => Math.abs(a - half) - Math.abs(b - half) || b - a);
}

function middleCut(path: readonly string[], head: number, tail: number): string {
  if (path.length <= head + tail) return path.join("/");
  return [...path.slice(0, head), "…", ...path.slice(-tail)].join("/");
}
