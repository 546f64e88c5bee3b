import { expect, test } from "vitest";
import { bestStat, directionOf } from "./direction";

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
