import { expect, test } from "vitest";
import { appendSections, OTHERS, sections } from "./sections";

const grouped = (...tags: string[]) =>
  sections(tags.map((tag) => ({ tag }))).map(({ name, items }) => [name, ...items.map((item) => item.tag)]);

test("tags stand with those of the same scope, results of evaluation first", () => {
  expect(
    grouped("epoch", "train/lr", "train/loss", "eval/loss", "sys/cpu", "eval/acc", "eval/runtime"),
  ).toEqual([
    ["eval", "eval/loss", "eval/acc", "eval/runtime"],
    ["train", "train/loss", "train/lr"],
    [OTHERS, "sys/cpu", "epoch"],
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

test("tags that would be alone in their section stand together with those without a scope", () => {
  expect(grouped("a/x", "b/x", "b/y", "loss", "z/x", "epoch")).toEqual([
    [OTHERS, "loss", "a/x", "z/x", "epoch"],
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

const both = (there: readonly string[], later: readonly string[]) =>
  appendSections(
    sections(there.map((tag) => ({ tag }))),
    later.map((tag) => ({ tag })),
  ).map(({ name, items }) => [name, ...items.map((item) => item.tag)]);

test("what comes later joins the section of its scope, behind what is there", () => {
  expect(both(["train/loss", "train/lr", "eval/loss"], ["train/inputs", "eval/inputs"])).toEqual([
    ["eval", "eval/loss", "eval/inputs"],
    ["train", "train/loss", "train/lr", "train/inputs"],
  ]);
});

test("what comes later takes no card from its section, and no section from its place", () => {
  expect(
    both(["train/loss", "validation/loss", "validation/accuracy"], ["activations/hidden", "a/x", "a/y"]),
  ).toEqual([
    ["validation", "validation/loss", "validation/accuracy"],
    ["train", "train/loss"],
    ["a", "a/x", "a/y"],
    ["activations", "activations/hidden"],
  ]);
});

test("lone tags that come later stand with those that stood together already", () => {
  expect(both(["loss", "lr/x", "eval/a", "eval/b"], ["maps/x", "hidden/y"])).toEqual([
    [OTHERS, "loss", "lr/x", "maps/x", "hidden/y"],
    ["eval", "eval/a", "eval/b"],
  ]);
});
