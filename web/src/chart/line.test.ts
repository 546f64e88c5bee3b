import { expect, test } from "vitest";
import { seriesOf } from "./chart.fixture";
import { LineCache, type LineOptions, prepareLine } from "./line";
import { smooth } from "./smooth";

const x = [0, 1, 2, 3];
const y = [4, 8, 2, 6];
const shape = (smoothing: number, logY = false): LineOptions => ({
  smoothing,
  logY,
  logX: false,
  tangled: false,
  paused: false,
});

test("without smoothing the line is the raw points and nothing lies behind it", () => {
  const series = seriesOf(1, x, y, { sy: Float64Array.of(9, 9, 9, 9) });
  const line = prepareLine(series, shape(0));
  expect([line.main.y, line.ghost]).toEqual([series.y, null]);
});

test("a raw series is smoothed here, whatever weight it came with", () => {
  const series = seriesOf(1, x, y, { sy: Float64Array.of(9, 9, 9, 9), weight: 0.9 });
  const line = prepareLine(series, shape(0.5));
  expect([...line.main.y]).toEqual([...smooth(y, 0.5)]);
  expect(line.ghost?.y).toBe(series.y);
});

test("smoothed points of the very weight are taken as they came: they know what lies before the range", () => {
  const sent = Float64Array.of(9, 9, 9, 9);
  expect(prepareLine(seriesOf(1, x, y, { sy: sent, weight: 0.5 }), shape(0.5)).main.y).toBe(sent);
  expect(prepareLine(seriesOf(1, x, y, { sy: sent, held: 100 }), shape(0.5)).main.y).toBe(sent);
});

test("a thinned series keeps the smoothed points sent, at their own x", () => {
  const sx = Float64Array.of(0, 3);
  const line = prepareLine(
    seriesOf(1, x, y, { sx, sy: Float64Array.of(1, 2), raw: false, weight: 0.9 }),
    shape(0.5),
  );
  expect([...line.main.x, ...line.main.y]).toEqual([0, 3, 1, 2]);
});

test("a thinned series without smoothed points is shown raw", () => {
  expect(prepareLine(seriesOf(1, x, y, { raw: false }), shape(0.5)).ghost).toBeNull();
});

test("what a line cannot show is listed", () => {
  const odd = seriesOf(1, [0, 1, 2, 3, 4], [1, Number.NaN, 0, -2, Number.POSITIVE_INFINITY]);
  const line = prepareLine(odd, shape(0, true));
  expect([[...line.nonFinite], [...line.notPositive]]).toEqual([
    [1, 4],
    [2, 3],
  ]);
  expect([...prepareLine(odd, shape(0)).notPositive]).toEqual([]);
});

test("a series is prepared once for the same smoothing and axis", () => {
  const lines = new LineCache();
  const series = seriesOf(1, x, y);
  const first = lines.get(series, shape(0.5));
  expect(lines.get(series, shape(0.5))).toBe(first);
  expect(lines.get(series, shape(0.6))).not.toBe(first);
});
