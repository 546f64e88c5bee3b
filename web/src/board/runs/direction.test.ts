import { expect, test } from "vitest";
import { bestStat, directionOf, objectiveOf } from "./direction";

test.each([
  ["eval/loss", "down"],
  ["valLoss", "down"],
  ["wer", "down"],
  ["eval/accuracy", "up"],
  ["perf/tokens_per_sec", "up"],
  ["eval/top_5", "up"],
  ["loss/scale_accuracy", "up"],
  ["train/lr", null],
  ["train/grad_norm", null],
  ["glossary", null],
  ["optimizer/loss_scale", null],
  ["amp/lossScale", null],
  ["loss/scale", null],
  ["train/loss_weight", null],
  ["eval/score_threshold", null],
  ["train_loss_epoch", "down"],
  ["loss/val", "down"],
  ["loss_1", "down"],
  ["eval/per_class/person/ap50", "up"],
  ["eval/hellaswag/acc_norm", "up"],
  ["eval/accuracy_top1", "up"],
  ["perf/images_per_second", "up"],
])("%s is better %s", (tag, direction) => {
  expect(directionOf(tag)).toBe(direction);
});

test.each([
  ["eval/loss", "min"],
  ["eval/accuracy", "max"],
  ["train/lr", "last"],
])("the best of %s is its %s", (tag, stat) => {
  expect(bestStat(tag)).toBe(stat);
});

test.each([
  ["train/lm_loss", "loss"],
  ["eval/c4_val/loss", "loss"],
  ["eval/accuracy_top1", "score"],
  ["train/perplexity", "score"],
  ["optimizer/loss_scale", null],
  ["perf/tokens_per_sec", null],
  ["lossy", null],
])("%s is trained for as a %s", (tag, aim) => {
  expect(objectiveOf(tag)).toBe(aim);
});
