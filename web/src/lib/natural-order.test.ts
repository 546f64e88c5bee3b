import { expect, test } from "vitest";
import { naturalOrder } from "./natural-order";

/** Names given in their order must come out in it, however they go in. */
test.each([
  [["layer_1/a", "layer_1/b", "layer_2", "layer_10"]],
  [["lr-0.003", "lr-0.01", "lr-0.05", "lr-0.2", "lr-1"]],
  [["lr_1e-4", "lr_3e-4", "lr_1e-3", "lr_0.01"]],
  [["v1.2.9", "v1.2.10", "v1.10.1"]],
  [["baseline", "big/seed0", "big/seed1", "run", "run_1"]],
  [["Адам", "Бета", "训练"]],
])("%j is in natural order", (names) => {
  expect([...names].reverse().sort(naturalOrder)).toEqual(names);
});

test("names that differ only in case or in leading zeros have an order", () => {
  expect(naturalOrder("run_1", "run_01")).toBe(-naturalOrder("run_01", "run_1"));
  expect(naturalOrder("Run", "run")).toBe(-naturalOrder("run", "Run"));
  expect(naturalOrder("Run", "run")).not.toBe(0);
});
