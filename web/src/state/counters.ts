/** Tags that count something that goes on: what one would rather have on the x axis than steps. */

const WORDS = new Set(
  "epoch epochs step steps iteration iterations iter iters token tokens sample samples example examples batch batches image images update updates frame frames episode episodes flop flops progress time hours seconds timesteps".split(
    " ",
  ),
);
/** Words around the counted thing. */
const AROUND = new Set(
  "global total num n train trainer seen consumed processed count counter elapsed".split(" "),
);

/** Tags whose last part names something counted: "train/epoch", "perf/tokens_seen", "global_step". */
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
