/** What a metric measures and whether less or more of it is better, as far as its name tells. Pure. */

export type Direction = "down" | "up";

const LOSS = /^loss(es)?\d*$/;
const SCORE = /^(acc(uracy)?|score|fscore|f_score|f1|auc|bleu|ppl|perplexity|reward|return)\d*$/;
const DOWN =
  /^(loss(es)?|err(or)?s?|ppl|perplexity|mse|mae|rmse|mape|[wc]er|eer|nll|fid|kid|bpc|bpb|latency|regret|cost)\d*$/;
const UP =
  /^(acc(uracy)?|top|f1|fscore|auc|auroc|auprc|score|bleu|rouge\w*|meteor|precision|recall|m?iou|m?ap|dice|reward|return|psnr|ssim|r2|mrr|ndcg|throughput)\d*$/;
/** Words of two parts. */
const UP_PHRASE = /(^|_)(f_score|\w+_per_sec(ond)?s?)(_|$)/;
/** What sets a metric is no metric: a loss scale, the weight of a loss, the threshold of a score. */
const SETTING =
  /^(scale[rs]?|scaling|weight(s|ing)?|coefs?|coeffs?|coefficients?|factor|lambda|alpha|beta|gamma|lr|threshold|temperature|window|clip|margin|step_?size)$/;

/** The figure that tells how good a run became; the last where the name says nothing. */
export function bestStat(tag: string): "last" | "min" | "max" {
  const direction = directionOf(tag);
  return direction === null ? "last" : direction === "down" ? "min" : "max";
}

/** Null where the name says nothing; of the parts of a tag the last that says anything decides. */
export function directionOf(tag: string): Direction | null {
  return measureOf(tag)?.direction ?? null;
}

/** "loss" and "score" are what one trains for; null for all other tags, also for what only belongs to a loss. */
export function aimOf(tag: string): "loss" | "score" | null {
  const word = measureOf(tag)?.word ?? "";
  return LOSS.test(word) ? "loss" : SCORE.test(word) ? "score" : null;
}

interface Measure {
  word: string;
  direction: Direction;
}

/** Whole words count. A part that ends in what sets a metric, as "loss_scale" does, says that the tag is none. */
function measureOf(tag: string): Measure | null {
  const parts = tag
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("/");
  for (const part of parts.reverse()) {
    const words = part.split(/[^\p{L}\d]+/u).filter((word) => word !== "");
    if (SETTING.test(words.at(-1) ?? "")) return null;
    const found = measureIn(words);
    if (found) return found;
  }
  return null;
}

function measureIn(words: readonly string[]): Measure | null {
  const down = words.find((word) => DOWN.test(word));
  if (down !== undefined) return { word: down, direction: "down" };
  const up = words.find((word) => UP.test(word)) ?? words.join("_").match(UP_PHRASE)?.[2];
  return up === undefined ? null : { word: up, direction: "up" };
}
