import { expect, test } from "vitest";
import type { RunLook } from "../../state/looks";
import { placeOf, placeRange, stepAt } from "./places";
import type { Line } from "./sources";

function line(name: string, x: number[], steps: number[]): Line {
  const look = {
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
  return { tag: "loss", look: look as RunLook, looks: [], points };
}

const lines = [line("slow", [0, 10, 20], [0, 100, 200]), line("quick", [0, 5, 10], [0, 100, 200])];

test("a step is itself on its own axis, and an event of its run on others", () => {
  expect([
    placeOf(lines, "step", 100, "quick"),
    placeOf(lines, "relative", 100, "quick"),
    placeOf(lines, "relative", 130, "slow"),
    placeOf(lines, "wall", 100, "gone"),
  ]).toEqual([100, 5, 10, null]);
});

test("a range stands where the pinned run had it, and without that run where the first has it", () => {
  expect(placeRange(lines, "relative", [0, 200], { run: "quick", step: 0 })).toEqual([0, 10]);
  expect(placeRange(lines, "relative", [0, 200], { run: "gone", step: 0 })).toEqual([0, 20]);
  expect(placeRange(lines, "step", [3, 4], null)).toEqual([3, 4]);
  expect(placeRange([], "relative", [3, 4], null)).toBe(null);
});

test("the step at a place is that of the nearest point", () => {
  expect([stepAt(lines, "step", 7), stepAt(lines, "relative", 6), stepAt([], "relative", 6)]).toEqual([
    7,
    100,
    null,
  ]);
});
