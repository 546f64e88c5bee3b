import { expect, test } from "vitest";
import { pictureOf, seriesOf } from "./chart.fixture";
import { spread } from "./labels";

const size = { width: 400, height: 130 };

test("places that are apart stay where they are", () => {
  expect(spread([10, 40, 80], 14, 0, 100)).toEqual([10, 40, 80]);
});

test("places that overlap move apart around their middle, inside the edges", () => {
  expect(spread([50, 50], 14, 0, 100)).toEqual([43, 57]);
  expect(spread([0, 2, 4], 14, 0, 100)).toEqual([0, 14, 28]);
  expect(spread([99, 100], 14, 0, 100)).toEqual([86, 100]);
});

test("places pushed upon others take them along", () => {
  expect(spread([20, 22, 36], 14, 0, 100)).toEqual([12, 26, 40]);
});

test("names stand right of the plot at the height of their ends", () => {
  const picture = pictureOf(
    [seriesOf(1, [0, 100], [0, 8]), seriesOf(2, [0, 100], [0, 2])],
    {
      labels: true,
      yRange: [0, 8],
    },
    size,
  );
  expect(picture.labels.map(({ text, y }) => [text, y])).toEqual([
    ["run 1", 8],
    ["run 2", 83],
  ]);
  expect(picture.labels.every(({ x, text }) => x > picture.plot.right && x + 6 * text.length <= 400)).toBe(
    true,
  );
});

test("a line that ends long before the edge is named and not joined", () => {
  const picture = pictureOf(
    [seriesOf(1, [0, 50], [0, 8]), seriesOf(2, [0, 100], [0, 2])],
    { labels: true },
    size,
  );
  expect(picture.labels.map(({ endX }) => Number.isNaN(endX))).toEqual([true, false]);
});

test("names that would crowd out the lines of a narrow chart are left to the table", () => {
  const named = { ...seriesOf(1, [0, 100], [0, 8]), label: "a run with a rather long name" };
  const labelsAt = (width: number) =>
    pictureOf([named], { labels: true }, { width, height: 130 }).labels.length;
  expect([labelsAt(375), labelsAt(800)]).toEqual([0, 1]);
});

test("more lines than eight are left to a legend", () => {
  const many = Array.from({ length: 9 }, (_, run) => seriesOf(run, [0, 1], [run, run]));
  const picture = pictureOf(many, { labels: true }, size);
  expect([picture.labels, picture.plot.right]).toEqual([[], 388]);
});
