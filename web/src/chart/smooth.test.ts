import { expect, test } from "vitest";
import { randomNumbers } from "../lib/random";
import { smooth } from "./smooth";

/** The formula as it is written down, without any shortcut. */
function reference(values: number[], weight: number): number[] {
  if (values.every((value) => value === values[0])) return values;
  let last = 0;
  let count = 0;
  return values.map((value) => {
    if (!Number.isFinite(value)) return value;
    last = weight * last + (1 - weight) * value;
    count += 1;
    return weight === 1 ? last : last / (1 - weight ** count);
  });
}

test.each([0.1, 0.6, 0.95, 0.999, 1])("weight %s equals the formula to 1e-12", (weight) => {
  const random = randomNumbers(3);
  const values = Array.from({ length: 3000 }, (_, i) => 1e3 * random() + (i % 400 === 7 ? Number.NaN : 0));
  const expected = reference(values, weight);
  smooth(values, weight).forEach((value, i) => {
    const wanted = expected[i]!;
    if (Number.isNaN(wanted)) expect(value).toBeNaN();
    else expect(Math.abs(value - wanted)).toBeLessThanOrEqual(1e-12 * Math.abs(wanted));
  });
});

test("a constant series is left alone", () => {
  expect([...smooth([0.1, 0.1, 0.1], 0.9)]).toEqual([0.1, 0.1, 0.1]);
});

test("what is not finite passes through and does not count", () => {
  const smoothed = smooth([1, Number.NaN, Number.POSITIVE_INFINITY, 3], 0.5);
  expect([...smoothed]).toEqual([1, Number.NaN, Number.POSITIVE_INFINITY, (0.25 + 1.5) / 0.75]);
});

test("no weight changes nothing", () => {
  expect([...smooth(Float32Array.of(1, 5, 2), 0)]).toEqual([1, 5, 2]);
});
