import { expect, test } from "vitest";
import { SvgPen } from "../../chart/svg-pen";
import { blockOf } from "./block.fixture";
import { curveAt, drawPicture } from "./draw";
import { composePicture, type Model } from "./picture";
import { rampColors } from "./ramp-colors";

const THEME = {
  surface: "#ffffff",
  line: "#cccccc",
  grid: "#eeeeee",
  axis: "#cccccc",
  axisText: "#555555",
  text: "#111111",
  text2: "#333333",
  cursor: "#666666",
  accent: "#2f5bea",
  bandAlpha: 0.1,
  rawAlpha: 0.2,
  dimAlpha: 0.3,
  font: "sans-serif",
};
const SIZE = { width: 400, height: 200 };
const measure = (text: string) => 6 * text.length;

function model(given: Partial<Model> = {}): Model {
  return {
    block: blockOf([0, 10], { cells: Float32Array.of(1, 0, 0, 1) }),
    rows: 2,
    top: 1,
    mode: "heatmap",
    axis: "step",
    span: [-5, 15],
    log: false,
    color: "#ff0000",
    theme: THEME,
    colors: rampColors(THEME),
    words: { order: "newest in front" },
    ...given,
  };
}

function svgOf(given: Partial<Model> = {}): string {
  const pen = new SvgPen(measure);
  drawPicture(pen, composePicture(model(given), SIZE, measure), 1);
  return pen.toString(SIZE, "test");
}

test("every cell with mass is a rectangle where its step and its values are", () => {
  const { plot } = composePicture(model(), SIZE, measure);
  const middle = (plot.left + plot.right) / 2;
  const half = (plot.bottom - plot.top) / 2;
  const wide = middle - plot.left;
  const shade = rampColors(THEME).at(-1);
  const found = [
    ...svgOf().matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="(.*?)"/g),
  ];
  expect(found.map(([, ...parts]) => [...parts.slice(0, 4).map(Number), parts[4]])).toEqual([
    [plot.left, plot.top + half, wide, half, shade],
    [middle, plot.top, wide, half, shade],
  ]);
});

test("percentiles are named at the right", () => {
  const names = [...svgOf({ mode: "percentiles" }).matchAll(/>(\d+ %)</g)].map(([, name]) => name);
  expect(names).toEqual(["100 %", "99 %", "95 %", "75 %", "50 %", "25 %", "5 %", "1 %", "0 %"]);
});

test("the front ridge hides those behind it, and the order is said", () => {
  const picture = composePicture(model({ mode: "offset", span: [0, 10] }), SIZE, measure);
  const { plot } = picture;
  expect(curveAt(picture, plot.right - 2, plot.bottom - 1)).toBe(1);
  expect(curveAt(picture, plot.left + 2, plot.top + picture.rise - 1)).toBe(0);
  expect(svgOf({ mode: "offset" })).toContain("newest in front");
});

test("steps without values, or none at all, leave the picture empty", () => {
  const empty = blockOf([], {
    lines: Array.from({ length: 9 }, () => new Float32Array(0)),
    cells: new Float32Array(0),
  });
  const hollow = blockOf([0, 1], {
    lines: Array.from({ length: 9 }, () => Float32Array.of(Number.NaN, Number.NaN)),
    cells: new Float32Array(4),
  });
  for (const mode of ["heatmap", "offset", "overlay", "percentiles"] as const) {
    for (const block of [empty, hollow]) expect(svgOf({ block, mode })).not.toContain("NaN");
  }
});
