import { expect, test } from "vitest";
import { layLegend } from "./legend-drawing";
import type { LegendEntry } from "./legend-entries";

const ENTRIES: readonly LegendEntry[] = ["conv", "dense", "relu"].map((label) => ({ label, color: "#000" }));
const LINE: LegendEntry = { label: "8 elements", color: "#000", line: { width: 2, dashed: false } };
const widthOf = (text: string) => text.length * 10;

test("entries stand beside each other as long as there is room", () => {
  const { height, places } = layLegend([...ENTRIES, LINE], 160, widthOf);
  expect(places.map(({ entry, x, y }) => [entry.label, x, y])).toEqual([
    ["conv", 0, 10],
    ["dense", 74, 10],
    ["relu", 0, 30],
    ["8 elements", 0, 50],
  ]);
  expect(height).toBe(60);
});

test("without entries it has no height", () => {
  expect(layLegend([], 160, widthOf)).toEqual({ height: 0, places: [] });
});
