import { expect, test } from "vitest";
import { compile } from "../../lib/pattern";
import { scopeOf, tagFilterOf } from "./related-tags";

const matching = (path: string, tags: readonly string[]) => {
  const pattern = compile(tagFilterOf(path) ?? "/(?!)/");
  return tags.filter((tag) => pattern.matches(tag));
};

test("tags of a scope are those that have its path, wherever it stands", () => {
  const tags = [
    "encoder/layer_1",
    "gradients/encoder.layer_1.weight",
    "encoder/layer_1/kernel:0",
    "encoder/layer_10",
    "my_encoder/layer_1",
  ];
  expect(matching("encoder/layer_1", tags)).toEqual(tags.slice(0, 3));
});

test("modules of torch have their names in brackets, after the class of the model", () => {
  const tags = [
    "layer1.0.conv1.weight",
    "weights/layer1/0/conv1/bias",
    "ResNet/layer1",
    "layer1.1.conv1.weight",
  ];
  expect(matching("ResNet/Sequential[layer1]/BasicBlock[0]/Conv2d[conv1]", tags)).toEqual(tags.slice(0, 2));
});

test("names are no expressions", () => {
  expect(matching("a+b(c)", ["x/a+b(c)/y", "aab(c)"])).toEqual(["x/a+b(c)/y"]);
});

test("the whole graph has no tags of its own", () => {
  expect([tagFilterOf(""), tagFilterOf("ResNet/Linear[fc]")]).toEqual([null, "/(^|[/.:])fc($|[/.:])/"]);
});

test("a tag leads to the innermost scope that it is named after", () => {
  const paths = ["", "encoder", "encoder/layer_1", "encoder/layer_10", "head", "layer_1"];
  const places = paths.map((path) => ({ path }));
  expect(
    ["gradients/encoder.layer_1.weight", "encoder/layer_2", "my_head", "loss"].map((tag) =>
      scopeOf(tag, places),
    ),
  ).toEqual(["encoder/layer_1", "encoder", null, null]);
});

test("a tag of a parameter leads to the module of torch", () => {
  const places = ["ResNet", "ResNet/Sequential[layer1]", "ResNet/Sequential[layer1]/Conv2d[0]"].map(
    (path) => ({ path }),
  );
  expect(["layer1.0.weight", "grad/layer1.1.bias"].map((tag) => scopeOf(tag, places))).toEqual([
    "ResNet/Sequential[layer1]/Conv2d[0]",
    "ResNet/Sequential[layer1]",
  ]);
});
