import { expect, test } from "vitest";
import { pictureOf, RecordingPen, seriesOf } from "./chart.fixture";
import { drawIncrementally, drawPicture } from "./draw";
import type { ChartModel, ChartSeries } from "./model";

function draw(series: ChartSeries[], more: Partial<ChartModel> = {}): { pen: RecordingPen; points: number } {
  const pen = new RecordingPen();
  const picture = pictureOf(series, more);
  const { points } = drawPicture(pen, picture, { pixelRatio: 1, highlighted: more.highlighted ?? null });
  return { pen, points };
}

const line = seriesOf(1, [0, 50, 100], [0, 20, 0]);

test("a whole picture: grid, line, axis text, and nothing else", () => {
  expect(draw([line], { yRange: [-10, 20] }).pen.calls).toEqual([
    "stroke grid 1 @1: M36,108.5 L136,108.5",
    "stroke axis 1 @1: M36,74.5 L136,74.5",
    "stroke grid 1 @1: M36,41.5 L136,41.5",
    "stroke grid 1 @1: M36,8.5 L136,8.5",
    "clip R33,5,106,106",
    "stroke color1 1.5 @1: M36,74.67 L86,8 L136,74.67",
    "text axisText right 28,108: −10",
    "text axisText right 28,74.67: 0",
    "text axisText right 28,41.33: 10",
    "text axisText right 28,8: 20",
    "text axisText left 33,121: 0",
    "text axisText left 80,121: 50",
    "text axisText left 126,121: 100",
  ]);
});

test("a smoothed line has its raw points behind it, pale and thin", () => {
  const { pen, points } = draw([line], { smoothing: 0.5, yRange: [0, 20] });
  expect(pen.all("stroke color1")).toEqual([
    "stroke color1 1 @0.25: M36,108 L86,8 L136,108",
    "stroke color1 1.5 @1: M36,108 L86,41.33 L136,79.43",
  ]);
  expect(points).toBe(3);
});

test("line by line it is the same picture", () => {
  const lines = [line, seriesOf(2, [0, 100], [5, 5]), seriesOf(3, [0, 100], [7, 9])];
  const picture = pictureOf(lines, { smoothing: 0.5, yRange: [0, 20] });
  const pen = new RecordingPen();
  const corners = [...drawIncrementally(pen, picture, { pixelRatio: 1, highlighted: 2 })];
  expect(pen.calls).toEqual(draw(lines, { smoothing: 0.5, yRange: [0, 20], highlighted: 2 }).pen.calls);
  expect(corners).toEqual([3, 5, 8, 10, 12, 14]);
});

test("where a group loses runs it is marked, and its line is pale and dashed from there on", () => {
  const counts = (...values: number[]) => Uint32Array.from(values);
  const group = seriesOf(1, [0, 50, 100], [0, 20, 0], {
    members: counts(3, 3, 1),
    nonfinite: counts(0, 0, 2),
  });
  const { pen, points } = draw([group], { yRange: [0, 20] });
  expect(pen.all("stroke color1")).toEqual([
    "stroke color1 1.5 @1: M36,108 L86,8",
    "stroke color1 1.5 @0.6 dash 2-3: M86,8 L136,108",
  ]);
  expect(pen.all("fill color1")).toEqual(["fill color1 @1: M132,109 L140,109 L136,102 Z"]);
  expect(points).toBe(3);
});

test("a group that was never whole is pale all along, one that is lost altogether ends in its mark", () => {
  const counts = (...values: number[]) => Uint32Array.from(values);
  const never = seriesOf(1, [0, 100], [0, 20], { members: counts(1, 1), nonfinite: counts(1, 1) });
  expect(draw([never], { yRange: [0, 20] }).pen.all("stroke color1")).toEqual([
    "stroke color1 1.5 @0.6 dash 2-3: M36,108 L136,8",
  ]);
  const lost = seriesOf(1, [0, 50, 100], [0, 20, Number.NaN], {
    members: counts(2, 2, 0),
    nonfinite: counts(0, 0, 2),
  });
  const { pen } = draw([lost], { yRange: [0, 20] });
  expect(pen.all("stroke color1")).toEqual(["stroke color1 1.5 @1: M36,108 L86,8"]);
  expect(pen.all("fill color1")).toHaveLength(1);
});

test("one run in front is wide and last, the others are dim", () => {
  const other = seriesOf(2, [0, 100], [5, 5]);
  const { pen } = draw([line, other], { highlighted: 1, yRange: [0, 20] });
  expect(pen.all("stroke color")).toEqual([
    "stroke color2 1.5 @0.5: M36,83 L136,83",
    "stroke color1 2.25 @1: M36,108 L86,8 L136,108",
  ]);
});

test("a run in front that is not here dims nothing", () => {
  expect(draw([line], { highlighted: 7 }).pen.all("stroke color1 1.5 @1")).toHaveLength(1);
});

test("above twenty lines each is a pixel wide", () => {
  const many = Array.from({ length: 21 }, (_, run) => seriesOf(run, [0, 1], [run, run]));
  expect(draw(many).pen.all("stroke color20 1 @1")).toHaveLength(1);
});

test("dashes are those of the series", () => {
  const { pen } = draw([seriesOf(1, [0, 1], [0, 1], { dash: [6, 3] })]);
  expect(pen.all("stroke color1")[0]).toContain("dash 6-3");
});

test("NaN is a triangle at the lower edge, infinities are diamonds at theirs; no line passes", () => {
  const odd = seriesOf(
    1,
    [0, 10, 20, 50, 80, 90, 100],
    [1, 1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, 1],
  );
  const { pen, points } = draw([odd], { yRange: [0, 2] });
  expect(pen.all("fill color1")).toEqual([
    "fill color1 @1: M52,109 L60,109 L56,102 Z",
    "fill color1 @1: M86,4 L90,8 L86,12 L82,8 Z",
    "fill color1 @1: M116,104 L120,108 L116,112 L112,108 Z",
  ]);
  expect(pen.all("stroke color1")).toEqual(["stroke color1 1.5 @1: M36,58 L46,58 M126,58 L136,58"]);
  expect(points).toBe(7);
});

test("a restart is a thin dotted line, and the line of the run does not go back", () => {
  const again = seriesOf(1, [0, 50, 100, 60, 90], [1, 1, 1, 1, 1], { restarts: Float64Array.of(60) });
  expect(draw([again], { yRange: [0, 2] }).pen.all("stroke color1")).toEqual([
    "stroke color1 1 @0.6 dash 1-3: M96.5,8 L96.5,108",
    "stroke color1 1.5 @1: M36,58 L86,58 L136,58 M96,58 L126,58",
  ]);
});

test("a point alone in a chart of lines is a dot", () => {
  const { pen } = draw([line, seriesOf(2, [50], [10])], { yRange: [0, 20] });
  expect(pen.all("fill color2")).toEqual(["fill color2 @1: O86,58,3"]);
});

test("the band of a group lies below all lines, and has its colour", () => {
  const band = { lo: Float64Array.of(0, 5), hi: Float64Array.of(10, 15), members: Uint32Array.of(3, 3) };
  const group = seriesOf(2, [0, 100], [5, 10], band);
  const { pen } = draw([line, group], { yRange: [0, 20] });
  const marks = pen.calls.filter((call) => call.includes("color"));
  expect(marks).toEqual([
    "fill color2 @0.13: M36,58 L136,33 L136,83 L36,108 Z",
    "stroke color1 1.5 @1: M36,108 L86,8 L136,108",
    "stroke color2 1.5 @1: M36,83 L136,58",
  ]);
});

test("a band that falls below a log axis goes on beyond the plot", () => {
  const band = { lo: Float64Array.of(0, 1), hi: Float64Array.of(10, 10), members: Uint32Array.of(3, 3) };
  const { pen } = draw([seriesOf(1, [0, 100], [1, 1], band)], { logY: true, yRange: [0.1, 10] });
  expect(pen.all("fill color1")).toEqual(["fill color1 @0.13: M36,8 L136,8 L136,58 L36,148 Z"]);
});

test("a group comes smoothed: it is not smoothed again", () => {
  const group = seriesOf(1, [0, 50, 100], [0, 20, 0], { members: Uint32Array.of(2, 2, 2) });
  expect(draw([group], { smoothing: 0.9, yRange: [0, 20] }).pen.all("stroke color1")).toEqual([
    "stroke color1 1.5 @1: M36,108 L86,8 L136,108",
  ]);
});

test("on the axis of a tag the line follows the order of its points, also where x goes back", () => {
  const back = seriesOf(1, [0, 100, 50], [0, 20, 10]);
  expect(draw([back], { axis: "tag", yRange: [0, 20] }).pen.all("stroke color1")).toEqual([
    "stroke color1 1.5 @1: M36,108 L136,8 L86,58",
  ]);
});

test("in front come all lines of a run, one of each tag", () => {
  const other = seriesOf(2, [0, 100], [5, 5]);
  const second = { ...line, tag: "eval" };
  const { pen } = draw([line, other, second], { highlighted: 1, yRange: [0, 20] });
  expect(pen.all("stroke color1 2.25 @1")).toHaveLength(2);
});

test("what is cut off is said in a corner", () => {
  const steps = Array.from({ length: 100 }, (_, i) => i);
  const spiked = seriesOf(
    1,
    steps,
    steps.map((i) => (i === 50 ? 1e4 : 1 + i / 100)),
  );
  const { pen } = draw([spiked], { ignoreOutliers: true });
  expect(pen.calls.filter((call) => call.includes("▲"))).toEqual(["text axisText left 38,18: ▲ 1 above"]);
});
