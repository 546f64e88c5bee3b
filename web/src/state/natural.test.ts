import { expect, test } from "vitest";
import { naturalOrder } from "./natural";

test("numbers in names are ordered as numbers", () => {
  const names = ["layer_10", "layer_2", "layer_1/b", "layer_1/a", "Layer_1"];
  expect(names.sort(naturalOrder)).toEqual(["Layer_1", "layer_1/a", "layer_1/b", "layer_2", "layer_10"]);
});

test("names that only differ in leading zeros have an order", () => {
  expect(naturalOrder("run_1", "run_01")).not.toBe(0);
});
