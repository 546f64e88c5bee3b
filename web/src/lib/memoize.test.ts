import { expect, test } from "vitest";
import { memoize } from "./memoize";

test("the last answer is given again for the same arguments, and only for them", () => {
  const made: string[] = [];
  const join = memoize((a: string, b: number) => {
    made.push(`${a}${b}`);
    return { text: a + b };
  });
  expect(join("x", 1)).toBe(join("x", 1));
  expect(join("x", Number.NaN)).toBe(join("x", Number.NaN));
  join("x", 1);
  expect(made).toEqual(["x1", "xNaN", "x1"]);
});
