import { describe, expect, test } from "vitest";
import { LINE } from "./time-line-example";
import { instantAt, rangeOf, valueAt } from "./time-line-points";

const POINTS = {
  ...LINE,
  instants: { track: [0, 0, 1], time_us: [10, 20, 15], name: [0, 1, 0], count: [1, 3, 1] },
  samples: {
    ...{ counter: [0, 0, 1], time_us: [10, 20, 5] },
    ...{ low: [1, 2, 7], high: [4, 2, 7], value: [3, 2, 7] },
  },
};

describe("points", () => {
  test("those of one track", () => {
    expect([rangeOf([0, 0, 1], 0), rangeOf([0, 0, 1], 1), rangeOf([0, 0, 1], 2)]).toEqual([
      [0, 2],
      [2, 3],
      [3, 3],
    ]);
  });

  test.each([
    [0, 11, 0],
    [0, 18, 1],
    [0, 15, null],
    [1, 15, 2],
    [2, 15, null],
  ])("the instant of track %i at %i", (track, time, found) => {
    expect(instantAt(POINTS, track, time, 2)).toBe(found);
  });

  test.each([
    [0, 9, null],
    [0, 10, 3],
    [0, 19, 3],
    [0, 99, 2],
    [1, 10, 7],
  ])("the value of counter %i at %i", (counter, time, value) => {
    expect(valueAt(POINTS, counter, time)).toBe(value);
  });
});
