import { expect, test } from "vitest";
import { modelOf, pictureOf, seriesOf } from "./chart.fixture";
import { fitY } from "./fit";
import { prepareLine } from "./line";
import type { ChartModel } from "./model";

const steps = Array.from({ length: 100 }, (_, i) => i);
const spiked = steps.map((i) => (i === 50 ? 1e4 : i / 100));

function fitted(y: number[], more: Partial<ChartModel> = {}, xRange: [number, number] = [0, 99], raw = true) {
  const model = modelOf([seriesOf(1, steps.slice(0, y.length), y, { raw })], more);
  return fitY(
    model,
    model.series.map((series) =>
      prepareLine(series, { ...model, logX: false, tangled: false, paused: false }),
    ),
    xRange,
  );
}

test("a spike is cut and counted", () => {
  const { range, notes } = fitted(spiked, { ignoreOutliers: true });
  expect(range[1]).toBeLessThan(1.2);
  expect(notes).toEqual({ above: "1 above", below: null, notPositive: null });
});

test("where a line leaves the range it is marked, once for points that share their pixels", () => {
  const { clipped } = fitted(spiked.with(20, 9e3), { ignoreOutliers: true });
  expect(clipped.map(({ above, below }) => [above, below])).toEqual([[[20, 50], []]]);
  expect(fitted(spiked).clipped).toEqual([]);
});

test("who zooms in sees all that is there", () => {
  const { range, notes, clipped } = fitted(spiked, { ignoreOutliers: true, xRange: [40, 60] }, [40, 60]);
  expect([range[1] > 1e4, notes.above, clipped]).toEqual([true, null, []]);
});

/** Between -1 and 1, as likely everywhere, the same each time. */
const noise = (i: number) => ((i * 7919) % 2003) / 1001.5 - 1;

test("a noisy line is not cut to a solid block: hardly any of it leaves both sides", () => {
  const many = Array.from({ length: 4000 }, (_, i) => i);
  const y = many.map((i) => noise(i) ** 5 + (i === 2000 ? 90 : 0));
  const model = modelOf([seriesOf(1, many, y)], { ignoreOutliers: true });
  const line = prepareLine(model.series[0]!, { ...model, logX: false, tangled: false, paused: false });
  const { range, clipped } = fitY(model, [line], [0, 3999]);
  const outside = y.filter((value) => value < range[0] || value > range[1]).length;
  expect(outside / y.length).toBeLessThanOrEqual(0.01);
  expect(range[1]).toBeLessThan(2);
  expect(clipped[0]!.above).toContain(2000);
});

test("of few points neither the highest nor the lowest is cut off together", () => {
  const y = [0, 0.5, 0.51, 0.52, 0.53, 0.54, 0.55, 9];
  const { range, clipped } = fitted(y.with(0, -8), { ignoreOutliers: true }, [0, 7]);
  expect([range[0] < -8, range[1] > 9, clipped]).toEqual([true, true, []]);
});

test("points behind a smoothed line that leave the range are counted and marked", () => {
  const { notes, clipped } = fitted(spiked, { ignoreOutliers: true, smoothing: 0.99 });
  expect(notes.above).not.toBeNull();
  expect(clipped[0]!.above).toContain(50);
});

test("of a thinned series more points may be hidden than are known", () => {
  expect(fitted(spiked, { ignoreOutliers: true }, [0, 99], false).notes.above).toBe("1+ above");
});

test("fitting all shows the spike, and the raw points behind a smoothed line", () => {
  expect(fitted(spiked).range[1]).toBeCloseTo(10_500, 0);
  expect(fitted(spiked, { smoothing: 0.9 }).range[1]).toBeCloseTo(10_500, 0);
});

test("fitting all looks at every point, however many there are", () => {
  const many = Array.from({ length: 50_000 }, (_, i) => i);
  const model = modelOf([seriesOf(1, many, many)]);
  const lines = model.series.map((series) =>
    prepareLine(series, { ...model, logX: false, tangled: false, paused: false }),
  );
  expect(fitY(model, lines, [0, 49_999]).range[1]).toBeGreaterThan(49_999);
});

test("only what is in view counts", () => {
  expect(fitted(spiked, {}, [0, 20]).range[1]).toBeCloseTo(0.21, 9);
});

test("between two points the line that joins them is in view", () => {
  expect(fitted([0, 10], {}, [0.4, 0.6]).range).toEqual([-0.5, 10.5]);
});

test("a range chosen by hand is taken as it is, and nothing is called hidden", () => {
  expect(fitted(spiked, { yRange: [0, 0.5], ignoreOutliers: true })).toEqual({
    range: [0, 0.5],
    notes: { above: null, below: null, notPositive: null },
    clipped: [],
  });
});

test("a log axis says how many points it leaves out", () => {
  const { range, notes } = fitted([1, 0, -3, 100], { logY: true });
  expect(notes.notPositive).toBe("2 ≤ 0 not shown");
  expect(range[0]).toBeGreaterThan(0.5);
});

test("the words are those of the model", () => {
  const words = {
    above: (points: string) => `выше: ${points}`,
    below: String,
    notPositive: String,
    wheelHint: "",
  };
  expect(fitted(spiked, { ignoreOutliers: true, words }).notes.above).toBe("выше: 1");
});

test("on a log axis of x the beginning is no outlier, however few its points are", () => {
  const x = Array.from({ length: 10_000 }, (_, i) => i + 1);
  const series = seriesOf(
    1,
    x,
    x.map((step) => 1 / step),
  );
  const range = (logX: boolean) => pictureOf([series], { ignoreOutliers: true, logX }).y.domain[1];
  expect(range(true)).toBeGreaterThan(0.9);
  expect(range(false)).toBeLessThan(0.1);
});
