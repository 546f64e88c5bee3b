import { expect, test } from "vitest";
import { modelOf, seriesOf } from "./chart.fixture";
import { exportSvg } from "./export";

const size = { width: 400, height: 200 };
const measure = (text: string) => 6 * text.length;
const textsOf = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map((match) => match[1]);
const lines = (count: number) =>
  Array.from({ length: count }, (_, run) => seriesOf(run, [0, 100], [run, run + 1]));
const names = { title: "loss", subtitle: "smoothed 0.6", xName: "Step", yName: "nats" };

test("few lines are named at their ends, beside title, axis names and ticks", () => {
  const svg = exportSvg(modelOf(lines(2), { yRange: [0, 2] }), { size, ...names }, measure);
  expect(textsOf(svg)).toEqual([
    "loss",
    "smoothed 0.6",
    "nats",
    "Step",
    ...["0", "0.5", "1.0", "1.5", "2.0"],
    ...["0", "25", "50", "75", "100"],
    "run 1",
    "run 0",
  ]);
});

test("more lines have a legend below, for which the sheet grows", () => {
  const svg = exportSvg(modelOf(lines(12)), { size }, measure);
  expect(textsOf(svg).slice(-12)).toEqual(Array.from({ length: 12 }, (_, run) => `run ${run}`));
  expect(svg).toContain('width="400" height="270"');
});

test("one line is named below", () => {
  expect(
    textsOf(exportSvg(modelOf(lines(1)), { size, title: "loss" }, measure)).filter(
      (text) => text === "run 0",
    ),
  ).toEqual(["run 0"]);
});

test("every line is one stroke, however many points it has", () => {
  const x = Array.from({ length: 5000 }, (_, i) => i);
  const svg = exportSvg(modelOf([seriesOf(1, x, x.map(Math.sin))]), { size }, measure);
  expect(svg.match(/stroke="color1"/g)).toHaveLength(2);
});

test("the file names the chart for those who do not see it", () => {
  const svg = exportSvg(modelOf(lines(1)), { size, title: "a < b" }, measure);
  expect(svg.split("\n").slice(0, 2)).toEqual([
    expect.stringMatching(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="400"/),
    "<title>a &lt; b</title>",
  ]);
});
