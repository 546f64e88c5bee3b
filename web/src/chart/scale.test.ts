import { expect, test } from "vitest";
import { randomNumbers } from "../lib/random";
import { makeScale, type ScaleKind } from "./scale";

const domains: [ScaleKind, [number, number]][] = [
  ["linear", [-3, 12.5]],
  ["time", [1.7e9, 1.7e9 + 30]],
  ["log", [1e-6, 40]],
  ["symlog", [-1e5, 10]],
];

test.each(domains)("a %s scale puts its domain on its range, either way up", (kind, domain) => {
  const scale = makeScale(kind, domain, [200, 10]);
  expect(scale.map(domain[0])).toBeCloseTo(200, 9);
  expect(scale.map(domain[1])).toBeCloseTo(10, 9);
});

test.each(domains)("a %s scale is undone by its inverse", (kind, domain) => {
  const scale = makeScale(kind, domain, [36, 350]);
  const random = randomNumbers(2);
  for (let i = 0; i < 200; i++) {
    const pixel = 36 + random() * 314;
    expect(scale.map(scale.invert(pixel))).toBeCloseTo(pixel, 4);
  }
});

test("a log scale gives equal room to equal factors and no place to what is not positive", () => {
  const scale = makeScale("log", [1, 1000], [0, 300]);
  expect([1, 10, 100, 1000].map(scale.map).map(Math.round)).toEqual([0, 100, 200, 300]);
  expect([Number.isFinite(scale.map(0)), scale.map(-1)]).toEqual([false, Number.NaN]);
});

test("milliseconds of a wall time are not lost", () => {
  const scale = makeScale("time", [1_700_000_000, 1_700_000_001], [0, 1000]);
  expect(scale.map(1_700_000_000.25)).toBe(250);
});
