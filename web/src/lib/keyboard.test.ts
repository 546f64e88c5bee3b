import { expect, test } from "vitest";
import { layouts } from "./keyboard";

test.each([
  ["пкфв", ["пкфв", "grad"]],
  ["ntvf", ["ntvf", "тема"]],
  ["0 9", ["0 9"]],
  ["平滑", ["平滑"]],
])("%s may mean %j", (typed, meant) => {
  expect(layouts(typed)).toEqual(meant);
});
