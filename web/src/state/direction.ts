/** Whether less or more of a metric is better, as far as its name tells. Pure. */

export type Direction = "down" | "up";

const DOWN =
  /(^|[^a-z])(loss(es)?|err(or)?s?|ppl|perplexity|mse|mae|rmse|mape|[wc]er|eer|nll|fid|kid|bpc|bpb|latency|regret|cost)([^a-z]|$)/;
const UP =
  /(^|[^a-z])(acc(uracy)?|top[_-]?\d+|f1|f_?score|auc|auroc|auprc|score|bleu|rouge\w*|meteor|precision|recall|m?iou|m?ap|dice|reward|return|psnr|ssim|r2|mrr|ndcg|throughput|\w*_per_sec(ond)?)([^a-z]|$)/;

/** The figure that tells how good a run became; the last where the name says nothing. */
export function bestStat(tag: string): "last" | "min" | "max" {
  const direction = directionOf(tag);
  return direction === null ? "last" : direction === "down" ? "min" : "max";
}

/** Null where the name says nothing; the last part of a tag decides. */
export function directionOf(tag: string): Direction | null {
  const parts = tag
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("/");
  for (const part of parts.reverse()) {
    if (DOWN.test(part)) return "down";
    if (UP.test(part)) return "up";
  }
  return null;
}
