import { expect, test } from "vitest";
import { fitY } from "./fit";
import { prepareLine } from "./line";
import type { ChartModel } from "./model";
import { modelOf, pictureOf, seriesOf } from "./sample";

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
