import { describe, expect, test } from "vitest";
import type { ProfileStep } from "../../api/profiles";
import { stepSpan, windowAround } from "./captures";

const step = (rank: number, start_us: number, duration_us: number, inferred = false): ProfileStep => ({
  ...{ step: 3, name: "train", host: "node", rank, start_us, duration_us, inferred },
});

describe("when a step is in a capture", () => {
  test("it lasts from its beginning on the first rank to its end on the last", () => {
    expect(stepSpan([step(0, 100, 50), step(1, 90, 30)])).toEqual([90, 150]);
  });

  test("of a number that comes again on a host, the first one counts", () => {
    expect(stepSpan([step(0, 100, 50), step(0, 900, 50)])).toEqual([100, 150]);
  });

  test("steps that are inferred are others than those of charts", () => {
    expect(stepSpan([step(0, 100, 50, true)])).toBeNull();
  });

  test("a little room is around it, but not before the capture", () => {
    expect(windowAround([100, 200])).toEqual([95, 205]);
    expect(windowAround([1, 101])).toEqual([0, 106]);
  });
});
