import { expect, test } from "vitest";
import { mostSimilar } from "./similarity";

test("names that share most pairs of letters come first", () => {
  expect(mostSimilar("trian/loss", ["eval/accuracy", "train/loss", "eval/loss"], 2)).toEqual([
    "train/loss",
    "eval/loss",
  ]);
});

test("names with nothing in common are not offered", () => {
  expect(mostSimilar("xyz", ["train/loss"], 3)).toEqual([]);
});
