import { expect, test } from "vitest";
import { randomNumbers } from "./random";
import { selectNth } from "./select-nth";

test("every rank is the value that sorting puts there", () => {
  const random = randomNumbers(1);
  const values = Float64Array.from({ length: 257 }, () => Math.floor(random() * 60));
  const sorted = values.slice().sort();
  const chosen = [...sorted].map((_, k) => selectNth(values.slice(), k));
  expect(chosen).toEqual([...sorted]);
});

test("sorted, reversed and constant columns are no trap", () => {
  const rising = Float64Array.from({ length: 5000 }, (_, i) => i);
  expect(selectNth(rising.slice(), 1234)).toBe(1234);
  expect(selectNth(rising.slice().reverse(), 1234)).toBe(1234);
  expect(selectNth(new Float64Array(5000).fill(2), 1234)).toBe(2);
});

test("only the first n values are looked at", () => {
  expect(selectNth(Float64Array.of(5, 4, 3, -100), 0, 3)).toBe(3);
});
