/** Finds tags that count something, such as epochs: candidates for the x axis. */

const WORDS = new Set(
  "epoch epochs step steps iteration iterations iter iters token tokens sample samples example examples batch batches image images update updates frame frames episode episodes flop flops progress time hours seconds timesteps".split(
    " ",
  ),
);
/** Words that may surround the counted thing. */
const AROUND = new Set(
  "global total num n train trainer seen consumed processed count counter elapsed".split(" "),
);

/** Tags whose last part names a count: "train/epoch", "perf/tokens_seen", "global_step". */
export function likelyCounters(tags: readonly string[]): string[] {
  return tags.filter((tag) => {
    const words = tag
      .split("/")
      .at(-1)!
      .toLowerCase()
      .split(/[^a-z]+/);
    const telling = words.filter((word) => word !== "" && !AROUND.has(word));
    return telling.length === 1 && WORDS.has(telling[0]!);
  });
}
