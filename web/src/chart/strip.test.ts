import { expect, test } from "vitest";
import { pictureOf, RecordingPen, seriesOf } from "./chart.fixture";
import { drawPicture } from "./draw";
import { nearestLine, rowsAt, snap } from "./hit-test";

const one = (run: number, value: number) => seriesOf(run, [100], [value]);
const size = { width: 300, height: 130 };

test("series of one point each are rows with name and value, in their order", () => {
  const picture = pictureOf([one(1, 0.25), one(2, 0.5)], {}, size);
  const rows = picture.strip!.rows.map(({ name, value, y }) => [name, value, y]);
  expect(rows).toEqual([
    ["run 1", "0.25", 45],
    ["run 2", "0.5", 71],
  ]);
});

test("where one series has more points there is no strip", () => {
  expect(pictureOf([one(1, 0.25), seriesOf(2, [0, 1], [1, 2])]).strip).toBeNull();
  expect(pictureOf([{ ...one(1, 0.25), held: 5 }]).strip).toBeNull();
  expect(pictureOf([]).strip).toBeNull();
});

test("a strip draws guides, dots, texts and its own axis, and no line", () => {
  const pen = new RecordingPen();
  const picture = pictureOf([one(1, 1), one(2, 3)], { yRange: [0, 4] }, size);
  const { points } = drawPicture(pen, picture, { pixelRatio: 1, highlighted: null });
  expect(points).toBe(2);
  expect(pen.calls).toEqual([
    "stroke grid 1 @1: M50,45.5 L288,45.5",
    "fill color1 @1: O109.5,45,3.5",
    "text text2 right 42,45: run 1",
    "text text left 117.5,45: 1",
    "stroke grid 1 @1: M50,71.5 L288,71.5",
    "fill color2 @1: O228.5,71,3.5",
    "text text2 right 42,71: run 2",
    "text text left 236.5,71: 3",
    "text axisText left 47,121: 0",
    "text axisText left 166,121: 2",
    "text axisText left 285,121: 4",
  ]);
});

test("a value that is no number has a row and no dot", () => {
  const pen = new RecordingPen();
  drawPicture(pen, pictureOf([one(1, 1), one(2, Number.NaN)], {}, size), {
    pixelRatio: 1,
    highlighted: null,
  });
  expect(pen.all("fill color")).toHaveLength(1);
  expect(pen.calls.filter((call) => call.includes("NaN"))).toHaveLength(1);
});

test("many rows have no room for text, and long names lose their beginning", () => {
  const many = Array.from({ length: 40 }, (_, run) => one(run, run));
  expect(pictureOf(many, {}, size).strip!.named).toBe(false);
  const long = pictureOf([{ ...one(1, 1), label: "a/very/long/name/of/a/run/lr=0.1" }], {}, size);
  expect(long.strip!.rows[0]!.name).toBe("a/…/run/lr=0.1");
});

test("the pointer means the row it is on, and its one point", () => {
  const picture = pictureOf([one(1, 0.25), one(2, 0.5)], {}, size);
  const line = nearestLine(picture, { x: 10, y: 70 });
  expect([line?.series.run, snap(picture, { x: 10, y: 70 }, line)]).toEqual([2, 100]);
  expect(rowsAt(picture, 100, { x: 10, y: 71 }).map(({ dist }) => dist)).toEqual([26, 0]);
});
