import { expect, test } from "vitest";
import { likest } from "./likeness";

test("names that share most pairs of letters come first", () => {
  expect(likest("trian/loss", ["eval/accuracy", "train/loss", "eval/loss"], 2)).toEqual([
    "train/loss",
    "eval/loss",
  ]);
});

test("names with nothing in common are not offered", () => {
  expect(likest("xyz", ["train/loss"], 3)).toEqual([]);
});
