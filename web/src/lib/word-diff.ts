/**
 * Compares two texts word by word and returns the shortest list of removed and added words. Texts with little in
 * common are compared by lines, and as wholes if even their lines differ.
 */

export interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Maximum number of changes: the work grows with its square. */
const MAX_EDITS = 1500;

/** Words, numbers, single punctuation marks and whitespace; scripts without spaces letter by letter. */
const WORD =
  /\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}_]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\p{L}\p{M}\p{N}_]|$)|[\s\S]/gu;
const LINE = /[^\n]*\n|[^\n]+/g;

export function wordDiff(before: string, after: string): readonly Piece[] {
  if (before === after) return before === "" ? [] : [{ kind: "same", text: before }];
  return compared(before, after, WORD) ?? compared(before, after, LINE) ?? [];
}

function whole(before: string, after: string): readonly Piece[] {
  const removed: Piece = { kind: "removed", text: before };
  const added: Piece = { kind: "added", text: after };
  return [removed, added].filter(({ text }) => text !== "");
}

/** Null if there are too many changes. */
function compared(before: string, after: string, unit: RegExp): readonly Piece[] | null {
  const old = before.match(unit) ?? [];
  const now = after.match(unit) ?? [];
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head++;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < now.length - head &&
    old[old.length - 1 - tail] === now[now.length - 1 - tail]
  ) {
    tail++;
  }
  const [went, came] = [old.slice(head, old.length - tail), now.slice(head, now.length - tail)];
  const middle = edits(went, came) ?? (unit === LINE ? whole(went.join(""), came.join("")) : null);
  if (middle === null) return null;
  const same = (words: readonly string[]): Piece[] =>
    words.length > 0 ? [{ kind: "same", text: words.join("") }] : [];
  return joined([...same(old.slice(0, head)), ...middle, ...same(old.slice(old.length - tail))]);
}

/**
 * The shortest edit from `old` to `now` (Myers 1986): how far one gets on diagonal k after d changes. Each round is
 * stored for the way back. Null above MAX_EDITS.
 */
function edits(old: readonly string[], now: readonly string[]): readonly Piece[] | null {
  const rounds: Int32Array[] = [];
  let reach = new Int32Array(3);
  const most = Math.min(MAX_EDITS, old.length + now.length);
  for (let d = 0; d <= most; d++) {
    const next = new Int32Array(2 * d + 3);
    for (let k = -d; k <= d; k += 2) {
      let x = d === 0 ? 0 : downward(reach, k, d) ? at(reach, k + 1, d) : at(reach, k - 1, d) + 1;
      while (x < old.length && x - k < now.length && old[x] === now[x - k]) x++;
      next[k + d + 1] = x;
      if (x >= old.length && x - k >= now.length) {
        rounds.push(next);
        return wayBack(rounds, old, now);
      }
    }
    rounds.push(next);
    reach = next;
  }
  return null;
}

/** The reach of round d−1 on diagonal k; that round is centred d places in. */
function at(reach: Int32Array, k: number, d: number): number {
  return reach[k + d]!;
}

/** Whether diagonal k is reached by adding rather than by removing. */
function downward(reach: Int32Array, k: number, d: number): boolean {
  return k === -d || (k !== d && at(reach, k - 1, d) < at(reach, k + 1, d));
}

function wayBack(
  rounds: readonly Int32Array[],
  old: readonly string[],
  now: readonly string[],
): readonly Piece[] {
  const pieces: Piece[] = [];
  let x = old.length;
  let y = now.length;
  for (let d = rounds.length - 1; d >= 0; d--) {
    const k = x - y;
    const reach = d > 0 ? rounds[d - 1]! : null;
    const down = reach !== null && downward(reach, k, d);
    const fromX = reach === null ? 0 : down ? at(reach, k + 1, d) : at(reach, k - 1, d);
    const fromY = reach === null ? 0 : fromX - (down ? k + 1 : k - 1);
    const start = reach === null ? 0 : down ? fromX : fromX + 1;
    for (; x > start; x--, y--) pieces.push({ kind: "same", text: old[x - 1]! });
    if (reach === null) break;
    pieces.push(down ? { kind: "added", text: now[fromY]! } : { kind: "removed", text: old[fromX]! });
    x = fromX;
    y = fromY;
  }
  return pieces.reverse();
}

/** Merges neighbours of one kind; between two common pieces, first everything removed, then everything added. */
function joined(pieces: readonly Piece[]): readonly Piece[] {
  const whole: Piece[] = [];
  let removed = "";
  let added = "";
  const settle = () => {
    if (removed !== "") whole.push({ kind: "removed", text: removed });
    if (added !== "") whole.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  for (const { kind, text } of pieces) {
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else {
      settle();
      const last = whole.at(-1);
      if (last?.kind === "same") last.text += text;
      else whole.push({ kind, text });
    }
  }
  settle();
  return whole;
}
