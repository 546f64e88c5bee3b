import { expect, test } from "vitest";
import { shortNames } from "./short-names";

test("what the tags share is said once, before or behind", () => {
  expect(shortNames(["train/loss", "eval/loss"])).toEqual({ common: "loss", each: ["train", "eval"] });
  expect(shortNames(["loss/train", "loss/val"])).toEqual({ common: "loss", each: ["train", "val"] });
  expect(shortNames(["a/train/loss", "a/eval/loss"])).toEqual({ common: "a/loss", each: ["train", "eval"] });
});

test("tags with nothing in common keep their names", () => {
  expect(shortNames(["loss", "eval/accuracy"])).toEqual({ common: "", each: ["loss", "eval/accuracy"] });
  expect(shortNames(["loss", "accuracy"])).toEqual({ common: "", each: ["loss", "accuracy"] });
});

test("no tag is left without a name", () => {
  expect(shortNames(["loss", "eval/loss"])).toEqual({ common: "", each: ["loss", "eval/loss"] });
});

test("no tags have no names", () => {
  expect(shortNames([])).toEqual({ common: "", each: [] });
});
