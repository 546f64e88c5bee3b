import { expect, test } from "vitest";
import { pictureOf, seriesOf } from "./chart.fixture";

const x = [0, 25, 50, 75, 100];
const y = [0, 1, 2, 3, 4];

test("the plot leaves room for labels and the axes span the data", () => {
  const picture = pictureOf([seriesOf(1, x, y)]);
  expect(picture.plot).toEqual({ left: 36, top: 8, right: 136, bottom: 108 });
  expect([picture.x.domain, picture.y.domain]).toEqual([
    [0, 100],
    [-0.2, 4.2],
  ]);
});

test("long labels push the plot to the right", () => {
  const picture = pictureOf([seriesOf(1, x, [1_234_567, 1_234_568, 1_234_569, 1_234_570, 1_234_571])]);
  expect(picture.plot.left).toBe(56);
});

test("labels of x never touch: fewer of them where there is no room", () => {
  const wide = pictureOf([seriesOf(1, x, y)], {}, { width: 400, height: 130 });
  const narrow = pictureOf([seriesOf(1, x, y)]);
  expect(wide.xTicks.labels).toEqual(["0", "25", "50", "75", "100"]);
  expect(narrow.xTicks.labels).toEqual(["0", "50", "100"]);
});

test("a zoom beyond the data shows what there is", () => {
  expect(pictureOf([seriesOf(1, x, y)], { xRange: [90, 300] }).x.domain).toEqual([90, 300]);
});

test("time axes have ticks of time", () => {
  const size = { width: 500, height: 130 };
  const relative = pictureOf([seriesOf(1, [0, 7200], [1, 2])], { axis: "relative" }, size);
  expect(relative.xTicks.labels).toEqual(["0", "30 m", "1 h", "1 h 30 m", "2 h"]);
});

test("a chart without points has no labels that mean nothing", () => {
  const picture = pictureOf([seriesOf(1, [], [])]);
  expect([picture.xTicks.labels, picture.yTicks.labels]).toEqual([[], []]);
});

test("notes go where fewer lines are", () => {
  const falling = seriesOf(1, [0, 1], [9, 1]);
  const rising = seriesOf(2, [0, 1], [1, 9]);
  expect(pictureOf([falling]).free).toEqual({ top: "right", bottom: "left" });
  expect(pictureOf([rising]).free).toEqual({ top: "left", bottom: "right" });
});

test("a log axis of x begins at the first x it can show and says what it leaves out", () => {
  const picture = pictureOf(
    [seriesOf(1, [0, 1, 10, 100, 1000], [1, 1, 1, 1, 1])],
    { logX: true },
    {
      width: 400,
      height: 130,
    },
  );
  expect([picture.x.domain, picture.xTicks.labels]).toEqual([
    [1, 1000],
    ["1", "10", "100", "1000"],
  ]);
  expect(picture.notes.notPositive).toBe("1 ≤ 0 not shown");
});

test("a range from zero on a log axis begins at the data", () => {
  const series = seriesOf(1, [1, 10, 100], [1, 1, 1]);
  expect(pictureOf([series], { logX: true, xRange: [0, 50] }).x.domain).toEqual([1, 50]);
  expect(pictureOf([series], { logX: true, xRange: [-9, -1] }).x.domain).toEqual([1, 100]);
});

test("time has no log axis", () => {
  expect(pictureOf([seriesOf(1, x, y)], { logX: true, axis: "relative" }).x.kind).toBe("time");
});
