/** Guesses from the name of a metric whether lower or higher values are better. Pure. */

export type Direction = "down" | "up";

const LOSS = /^loss(es)?\d*$/;
const SCORE = /^(acc(uracy)?|score|fscore|f_score|f1|auc|bleu|ppl|perplexity|reward|return)\d*$/;
const DOWN =
  /^(loss(es)?|err(or)?s?|ppl|perplexity|mse|mae|rmse|mape|[wc]er|eer|nll|fid|kid|bpc|bpb|latency|regret|cost)\d*$/;
const UP =
  /^(acc(uracy)?|top|f1|fscore|auc|auroc|auprc|score|bleu|rouge\w*|meteor|precision|recall|m?iou|m?ap|dice|reward|return|psnr|ssim|r2|mrr|ndcg|throughput)\d*$/;
/** Names of two words. */
const UP_PHRASE = /(^|_)(f_score|\w+_per_sec(ond)?s?)(_|$)/;
/** Settings that contain the name of a metric: a loss scale, the weight of a loss, the threshold of a score. */
const SETTING =
  /^(scale[rs]?|scaling|weight(s|ing)?|coefs?|coeffs?|coefficients?|factor|lambda|alpha|beta|gamma|lr|threshold|temperature|window|clip|margin|step_?size)$/;

/** The statistic that summarizes a run best; the last value if the name says nothing. */
export function bestStat(tag: string): "last" | "min" | "max" {
  const direction = directionOf(tag);
  return direction === null ? "last" : direction === "down" ? "min" : "max";
}

/** Null if the name says nothing. Of the parts of a tag, the last that says anything decides. */
export function directionOf(tag: string): Direction | null {
  return measureOf(tag)?.direction ?? null;
}

/** Whether a tag is the training objective; null for all other tags, also for those that only belong to a loss. */
export function objectiveOf(tag: string): "loss" | "score" | null {
  const word = measureOf(tag)?.word ?? "";
  return LOSS.test(word) ? "loss" : SCORE.test(word) ? "score" : null;
}

interface Measure {
  word: string;
  direction: Direction;
}

/** Only whole words count. A part that ends in the name of a setting, such as "loss_scale", is not a metric. */
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
