/** Pairs tags of training and validation: "train/loss" and "eval/loss", "loss/train" and "loss/val". */

const TRAIN = new Set(["train", "training"]);
const VALIDATION = ["val", "valid", "validation", "eval", "evaluation", "test", "dev"];

/** The partner of a tag among others, or null. */
export function pairOf(tag: string, tags: readonly string[]): string | null {
  const known = new Set(tags);
  const parts = tag.split("/");
  for (let at = 0; at < parts.length; at++) {
    for (const word of counterparts(parts[at]!)) {
      const partner = parts.with(at, word).join("/");
      if (partner !== tag && known.has(partner)) return partner;
    }
  }
  return null;
}

export interface Pair {
  train: string;
  validation: string;
}

/** Every training tag with its partner. */
export function pairsOf(tags: readonly string[]): Pair[] {
  return tags.flatMap((train) => {
    const isTrain = train.split("/").some((part) => TRAIN.has(part.toLowerCase()));
    const validation = isTrain ? pairOf(train, tags) : null;
    return validation === null ? [] : [{ train, validation }];
  });
}

/** The counterparts of a word, in the letter case of its first letter. */
function counterparts(part: string): readonly string[] {
  const word = part.toLowerCase();
  const others = TRAIN.has(word) ? VALIDATION : VALIDATION.includes(word) ? [...TRAIN] : [];
  const capital = part !== word && part[0] !== word[0];
  return capital ? others.map((other) => other[0]!.toUpperCase() + other.slice(1)) : others;
}
