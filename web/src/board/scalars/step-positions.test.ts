import { expect, test } from "vitest";
import type { LineStyle } from "../runs/line-styles";
import type { Line } from "./card-subscriptions";
import { stepAt, xOfStep, xRangeOf } from "./step-positions";

function line(name: string, x: number[], steps: number[]): Line {
  const lineStyle = {
    id: 1,
    name,
    label: name,
    slot: 0,
    startWallTime: null,
    color: null,
    dash: null,
    members: null,
  };
  const points = { x: Float64Array.from(x), aux: Float64Array.from(steps) } as unknown as Line["points"];
  return { tag: "loss", lineStyle: lineStyle as LineStyle, lineStyles: [], points };
}

const lines = [line("slow", [0, 10, 20], [0, 100, 200]), line("quick", [0, 5, 10], [0, 100, 200])];

test("a step is itself on its own axis, and an event of its run on others", () => {
  expect([
    xOfStep(lines, "step", 100, "quick"),
    xOfStep(lines, "relative", 100, "quick"),
    xOfStep(lines, "relative", 130, "slow"),
    xOfStep(lines, "wall", 100, "gone"),
  ]).toEqual([100, 5, 10, null]);
});

test("a range stands where the pinned run had it, and without that run where the first has it", () => {
  expect(xRangeOf(lines, "relative", [0, 200], { run: "quick", step: 0 })).toEqual([0, 10]);
  expect(xRangeOf(lines, "relative", [0, 200], { run: "gone", step: 0 })).toEqual([0, 20]);
  expect(xRangeOf(lines, "step", [3, 4], null)).toEqual([3, 4]);
  expect(xRangeOf([], "relative", [3, 4], null)).toBe(null);
});

test("the step at a place is that of the nearest point", () => {
  expect([stepAt(lines, "step", 7), stepAt(lines, "relative", 6), stepAt([], "relative", 6)]).toEqual([
    7,
    100,
    null,
  ]);
});
