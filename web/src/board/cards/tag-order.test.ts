import { expect, test } from "vitest";
import { byTagRank, tagRank } from "./tag-order";

const ordered = (...tags: string[]) => byTagRank(tags.map((tag) => ({ tag }))).map(({ tag }) => tag);

/** Tags of one line have one rank, and those of the next line the next one. */
const RANKS = [
  "eval/loss val_loss valLoss loss/val eval/c4_val/loss evaluation_loss_vs_iterations",
  "eval/accuracy_top1 Accuracy/test eval/mmlu/acc test/f1 eval/per_class/person/ap50",
  "train/loss loss epoch_loss Loss/train train/lm_loss losses/policy_loss",
  "accuracy charts/episodic_return rollout/ep_rew_mean train/perplexity",
  "train/grad_norm optimizer/loss_scale optim/lr epoch_learning_rate eval/calibration/temperature layers/0/weight",
  "system/gpu.0.utilization perf/images_per_second timers/forward_ms eval/runtime charts/SPS train/mfu",
  "epoch train/epoch global_step time/iterations time/total_timesteps train/consumed_tokens train/num_samples",
].map((line) => line.split(" "));

test.each(RANKS.flatMap((tags, rank) => tags.map((tag) => [tag, rank])))("%s has rank %i", (tag, rank) => {
  expect(tagRank(tag as string)).toBe(rank);
});

test("a sum of losses is a result, and no count", () => {
  expect(tagRank("loss/total")).toBe(tagRank("train/loss"));
});

test("names without words are neither first nor last", () => {
  expect(["", "/", "12", "层/权重"].map(tagRank)).toEqual([4, 4, 4, 4]);
});

test("tags of one rank keep their order", () => {
  expect(ordered("epoch", "train/b", "train/a", "train/loss", "eval/z_loss", "eval/a_loss")).toEqual([
    "eval/z_loss",
    "eval/a_loss",
    "train/loss",
    "train/b",
    "train/a",
    "epoch",
  ]);
});
