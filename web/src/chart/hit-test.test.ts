import { expect, test } from "vitest";
import { pictureOf, seriesOf } from "./chart.fixture";
import { nearestLine, nearestX, pointAt, pointUnder, rowsAt, snap, stepX } from "./hit-test";

const low = seriesOf(1, [0, 50, 100], [0, 0, 0], { aux: Float64Array.of(10, 20, 30) });
const high = seriesOf(2, [0, 40, 100], [10, 10, Number.NaN]);
const picture = pictureOf([low, high], { yRange: [0, 10] });

test("rows are real points, the nearest of each series, and say whether they are exact", () => {
  const line = { tag: undefined, lo: null, hi: null, members: null, nonfinite: 0 };
  expect(rowsAt(picture, 50, null)).toEqual([
    { ...line, run: 1, x: 50, y: 0, smoothed: null, smoothedX: null, aux: 20, exact: true, dist: 0 },
    { ...line, run: 2, x: 40, y: 10, smoothed: null, smoothedX: null, aux: null, exact: false, dist: 10 },
  ]);
});

test("one run can be asked for alone", () => {
  expect(rowsAt(picture, 50, null, null, 2).map(({ run, y }) => [run, y])).toEqual([[2, 10]]);
});

test("a NaN is a row like any other", () => {
  expect(rowsAt(picture, 100, null)[1]).toMatchObject({ run: 2, x: 100, y: Number.NaN, exact: true });
});

test("with a pointer, distance is measured on the screen", () => {
  const [first, second] = rowsAt(picture, 50, { x: 86, y: 98 });
  expect([first!.dist, second!.dist]).toEqual([10, Math.hypot(10, 90)]);
});

test("a smoothed value stands at the same point", () => {
  const smoothed = pictureOf([low], { smoothing: 0.5 });
  expect(rowsAt(smoothed, 50, null)[0]).toMatchObject({ y: 0, smoothed: 0, smoothedX: 50 });
});

test("of a thinned series the smoothed point nearest in x is named, with its own x", () => {
  const thinned = seriesOf(1, [0, 50, 100], [0, 5, 9], {
    raw: false,
    sx: Float64Array.of(0, 52, 100),
    sy: Float64Array.of(1, 2, 3),
  });
  expect(rowsAt(pictureOf([thinned], { smoothing: 0.5 }), 50, null)[0]).toMatchObject({
    y: 5,
    smoothed: 2,
    smoothedX: 52,
  });
});

test("after a restart the later of two points at one step is meant", () => {
  const again = pictureOf([seriesOf(1, [0, 10, 20, 10, 20, 30], [1, 1, 1, 2, 2, 2])]);
  expect(pointAt(again.lines[0]!, 10)).toBe(3);
  expect(pointAt(again.lines[0]!, 0)).toBe(0);
});

test("a pointer at the piece before a restart means the point of that piece", () => {
  const again = pictureOf([seriesOf(1, [0, 10, 20, 10, 20, 30], [1, 1, 1, 2, 2, 2])], { yRange: [1, 2] });
  const line = again.lines[0]!;
  const px = again.x.map(10);
  const low = pointUnder(again, { x: px, y: again.plot.bottom }, line);
  const high = pointUnder(again, { x: px, y: again.plot.top }, line);
  expect([low?.i, high?.i]).toEqual([1, 3]);
  expect([rowsAt(again, 10, null, low)[0]!.y, rowsAt(again, 10, null, high)[0]!.y]).toEqual([1, 2]);
  expect(rowsAt(again, 20, null, low)[0]!.y).toBe(2);
});

test("the nearest line is the one that passes by, also between its points", () => {
  expect(nearestLine(picture, { x: 61, y: 100 })?.series.run).toBe(1);
  expect(nearestLine(picture, { x: 61, y: 12 })?.series.run).toBe(2);
});

test("beyond reach no line is meant", () => {
  expect(nearestLine(picture, { x: 61, y: 58 }, 20)).toBeNull();
});

test("a steep line is near although its points are not", () => {
  const steep = pictureOf([seriesOf(1, [0, 50, 51, 100], [0, 0, 10, 10])], { yRange: [0, 10] });
  expect(nearestLine(steep, { x: 90, y: 58 }, 8)?.series.run).toBe(1);
});

test("the pointer snaps to a point of the line meant, else to whichever is nearest", () => {
  const spot = { x: 36 + 44, y: 0 };
  expect(snap(picture, spot, picture.lines[0]!)).toBe(50);
  expect(snap(picture, spot, null)).toBe(40);
  expect(nearestX(pictureOf([]), 3)).toBeNull();
});

test("of the points in the pixels under the pointer the one drawn nearest is meant: the top of a spike", () => {
  // A hundred points to a pixel, all at the bottom but one.
  const x = Array.from({ length: 10_000 }, (_, i) => i);
  const spiky = pictureOf(
    [
      seriesOf(
        1,
        x,
        x.map((i) => (i === 5_070 ? 10 : 0)),
      ),
    ],
    { yRange: [0, 10] },
  );
  const at = (px: number, y: number) => snap(spiky, { x: px, y }, spiky.lines[0]!);
  const top = spiky.plot.top;
  expect([at(86.5, top), at(85.5, top), at(88, top)]).toEqual([5_070, 5_070, 5_070]);
  // At the bottom, and beyond the neighbouring column, it is not.
  expect([at(86.5, spiky.plot.bottom), at(83, top)]).toEqual([5_049, 4_700]);
});

test("a value that is no number can be pointed at where its mark is drawn", () => {
  const x = Array.from({ length: 10_000 }, (_, i) => i);
  const holed = pictureOf(
    [
      seriesOf(
        1,
        x,
        x.map((i) => (i === 5_070 ? Number.NaN : 10)),
      ),
    ],
    { yRange: [0, 10] },
  );
  const { top, bottom } = holed.plot;
  const at = (y: number) => snap(holed, { x: 86.5, y }, holed.lines[0]!);
  expect([at(bottom), at(top)]).toEqual([5_070, 5_049]);
});

test("arrow keys go from point to point of all series", () => {
  expect([stepX(picture, 0, 1), stepX(picture, 50, -1), stepX(picture, 100, 1)]).toEqual([40, 40, null]);
  expect(stepX(picture, Number.NEGATIVE_INFINITY, 1)).toBe(0);
  expect(stepX(picture, Number.POSITIVE_INFINITY, -1)).toBe(100);
});
