import { expect, test } from "vitest";
import { sections } from "./sections";

const grouped = (...tags: string[]) =>
  sections(tags.map((tag) => ({ tag }))).map(({ name, items }) => [name, ...items.map((item) => item.tag)]);

test("tags stand with those of the same scope", () => {
  expect(grouped("train/loss", "eval/loss", "train/lr", "eval/acc")).toEqual([
    ["eval", "eval/loss", "eval/acc"],
    ["train", "train/loss", "train/lr"],
  ]);
});

test("a deep scope is a section when two tags share it, else the first part is", () => {
  expect(grouped("layer/0/w", "layer/0/b", "layer/1/w", "layer/2/w")).toEqual([
    ["layer", "layer/1/w", "layer/2/w"],
    ["layer/0", "layer/0/w", "layer/0/b"],
  ]);
});

test("sections are in natural order", () => {
  const tags = ["layer_10/a", "layer_10/b", "layer_2/a", "layer_2/b"];
  expect(grouped(...tags).map(([name]) => name)).toEqual(["layer_2", "layer_10"]);
});

test("tags that would be alone in their section stand together, in their order, with those without a scope", () => {
  expect(grouped("a/x", "b/x", "b/y", "loss", "z/x")).toEqual([
    ["", "a/x", "loss", "z/x"],
    ["b", "b/x", "b/y"],
  ]);
});

test("a single lone tag keeps its name", () => {
  expect(grouped("a/x", "b/x", "b/y")).toEqual([
    ["a", "a/x"],
    ["b", "b/x", "b/y"],
  ]);
});

test("a slash at the very beginning makes no empty section", () => {
  expect(grouped("/loss", "/lr")).toEqual([["", "/loss", "/lr"]]);
});
