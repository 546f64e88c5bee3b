/**
 * Orders tags by what they tell: results of evaluation, results of training, what else is logged, the machine, and last
 * what only counts along, such as an epoch beside its step. Names are all that it goes by. Pure.
 */

const EVALUATION = 0;
const TRAINING = 2;
const OTHER = 4;
const MACHINE = 5;
const COUNTER = 6;

const EVALUATED = setOf("eval evaluation val valid validation test dev holdout");
const LOSSES = setOf("loss losses");
const RESULTS = setOf(
  "loss losses accuracy acc precision recall f auc auroc ap map iou miou dice bleu rouge perplexity ppl reward rew",
  "return returns score scores error err mse rmse mae r psnr ssim fid wer cer elbo nll ece bce success elo",
);
/** What has the name of a result beside it and is none: the scale of a loss, the weight of a reward. */
const SETTINGS = setOf("scale scaler weight weights coef coefficient lr learning");
const RESOURCES = setOf(
  "system sys gpu gpus cpu cpus tpu memory mem ram disk network power utilization throughput perf time times timing",
  "timer timers runtime duration second seconds secs ms latency fps sps flops mfu",
);
const COUNTED = setOf(
  "epoch epochs step steps timestep timesteps iteration iterations iter iters counter progress",
);
const COUNTED_IN_ALL = setOf("tokens samples examples batches episodes updates");
const COUNTING = setOf("global current total num number n consumed seen processed");

/** The lowest comes first. Losses are before other results of their kind. */
export function tagRank(tag: string): number {
  const parts = tag.split("/").map(wordsOf);
  const [first = [], last = first] = [parts[0], parts.at(-1)];
  const ends = [...first, ...last];
  if (isCounter(last)) return COUNTER;
  const isResult = has(RESULTS, last) || (parts.length === 2 && has(RESULTS, first));
  if (isResult && !has(SETTINGS, last)) {
    const kind = has(EVALUATED, parts.flat()) ? EVALUATION : TRAINING;
    return has(LOSSES, ends) ? kind : kind + 1;
  }
  return has(RESOURCES, ends) ? MACHINE : OTHER;
}

/** Items by the rank of their tags; those of one rank keep their order. */
export function byTagRank<Item extends { tag: string }>(items: readonly Item[]): Item[] {
  const ranks = new Map(items.map((item) => [item, tagRank(item.tag)]));
  return items.toSorted((a, b) => ranks.get(a)! - ranks.get(b)!);
}

function isCounter(words: readonly string[]): boolean {
  const counts = words.filter((word) => !COUNTING.has(word));
  if (counts.length === 0) return false;
  return counts.every(
    (word) => COUNTED.has(word) || (COUNTED_IN_ALL.has(word) && counts.length < words.length),
  );
}

/** The words of a part of a tag, in lower case and without numbers at their ends: "valLoss_top5" is val, loss, top. */
function wordsOf(part: string): string[] {
  const words = part
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.map((word) => word.replace(/\d+$/, "")).filter((word) => word !== "");
}

function has(some: ReadonlySet<string>, words: readonly string[]): boolean {
  return words.some((word) => some.has(word));
}

function setOf(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
