import { expect, test } from "vitest";
import { pairOf, pairsOf } from "./validation-pairs";

const tags = [
  "train/loss",
  "eval/loss",
  "train/lr",
  "acc/train",
  "acc/val",
  "Loss/Train",
  "Loss/Valid",
  "loss",
];

test("training and validation find each other, before or behind the slash", () => {
  expect(["train/loss", "eval/loss", "acc/val", "Loss/Train"].map((tag) => pairOf(tag, tags))).toEqual([
    "eval/loss",
    "train/loss",
    "acc/train",
    "Loss/Valid",
  ]);
});

test("what has no partner stays alone", () => {
  expect(["train/lr", "loss"].map((tag) => pairOf(tag, tags))).toEqual([null, null]);
});

test("pairs begin with the training tag", () => {
  expect(pairsOf(tags)).toEqual([
    { train: "train/loss", validation: "eval/loss" },
    { train: "acc/train", validation: "acc/val" },
    { train: "Loss/Train", validation: "Loss/Valid" },
  ]);
});
