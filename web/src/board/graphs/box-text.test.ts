import { expect, test } from "vitest";
import { parameterText } from "./box-text";

test("parameters are counted in words that agree with their number", () => {
  expect([1, 2, 151_296].map(parameterText)).toEqual(["1 parameter", "2 parameters", "151K parameters"]);
});
