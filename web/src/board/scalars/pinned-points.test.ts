import { expect, test, vi } from "vitest";
import type { Row } from "../../chart";
import { seriesOf } from "../../chart/chart.fixture";
import { Feed, type FetchCharts } from "../data/feed";
import type { LineStyle } from "../runs/line-styles";
import { PinnedPoints, withExactPoints } from "./pinned-points";

const FRAME = {
  axis: "step",
  xTag: "",
  smoothing: 0,
  statistic: "mean",
  band: "none",
  repeats: "all",
} as const;
const lineStyle: LineStyle = {
  id: 1,
  name: "a",
  label: "a",
  slot: 0,
  startWallTime: null,
  color: null,
  dash: null,
  members: null,
};
const parts = [{ tag: "loss", lineStyles: [lineStyle] }];
const thinned = { raw: false, held: 9000 };

function row(run: number, x: number, y: number): Row {
  const none = { smoothed: null, smoothedX: null, aux: null, lo: null, hi: null, members: null };
  return { run, x, y, exact: false, dist: 3, ...none };
}

/** A feed that answers with three points around what is asked, when told to. */
function feedOf(asked: [number | null, number | null][]) {
  const answers: (() => void)[] = [];
  const ask: FetchCharts = (request) =>
    new Promise((resolve) => {
      const { x0 = null, x1 = null } = request.charts[0]!;
      asked.push([x0, x1]);
      const at = x0!;
      const series = seriesOf(1, [at - 1, at, at + 1], [1, 2, 3], { held: 9000 });
      answers.push(() => resolve([{ index: 0, series: [series] }]));
    });
  return { feed: new Feed(ask, FRAME), answer: () => answers.shift()?.() };
}

test("the point at the very step stands for the one drawn near it", () => {
  const very = seriesOf(1, [99, 100, 101], [5, 6, 7], { held: 9000, sy: Float64Array.of(4, 4.5, 5) });
  const [plain] = withExactPoints([row(1, 97, 1)], [very], 100, 0);
  const [smoothed] = withExactPoints([row(1, 97, 1)], [very], 100, 0.6);
  expect([plain!.x, plain!.y, plain!.smoothed, plain!.exact]).toEqual([100, 6, null, true]);
  expect([smoothed!.y, smoothed!.smoothed, smoothed!.smoothedX]).toEqual([6, 4.5, 100]);
});

test("a line that lacks the step says its nearest point, and that it is not the very one", () => {
  const [near] = withExactPoints([row(1, 90, 1)], [seriesOf(1, [98, 103], [5, 6], thinned)], 100, 0);
  expect([near!.x, near!.y, near!.exact]).toEqual([98, 5, false]);
});

test("what nothing came of stays as it was drawn", () => {
  const drawn = [row(1, 97, 1), row(2, 97, 2)];
  expect(withExactPoints(drawn, [seriesOf(1, [], [], thinned)], 100, 0)).toEqual(drawn);
});

test("a step is asked for once, and nothing is said before it is here", async () => {
  const asked: [number | null, number | null][] = [];
  const { feed, answer } = feedOf(asked);
  let news = 0;
  const points = new PinnedPoints(feed, () => news++);
  for (let i = 0; i < 3; i++) points.ask({ step: 100, parts, smoothing: undefined });
  await Promise.resolve();
  expect([asked, points.lines]).toEqual([[[100, 100]], []]);
  const before = news;
  answer();
  await vi.waitFor(() => expect(points.lines.map((line) => [...line.points.x])).toEqual([[99, 100, 101]]));
  expect(news).toBeGreaterThan(before);
  points.ask(null);
  expect(points.lines).toEqual([]);
  points.ask({ step: 100, parts, smoothing: undefined });
  await Promise.resolve();
  expect([asked.length, points.lines.length]).toEqual([1, 1]);
});
