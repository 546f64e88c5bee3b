import { expect, test } from "vitest";
import { SvgPen } from "../../chart/svg-pen";
import { compose, curvePointsAt, drawCurves, type Model, nearest, precisionAt, thresholdOf } from "./draw";
import { drawExport, picture } from "./picture";

const MODEL: Model = {
  mode: "pr",
  runs: [
    {
      run: 1,
      label: "a",
      color: "#000",
      dash: [],
      lines: [{ part: "curve", x: [1, 0.5, 0], y: [0, 0.5, 1], at: [0, 1, 2] }],
      thresholds: 3,
    },
    {
      run: 2,
      label: "b",
      color: "#111",
      dash: [],
      lines: [{ part: "curve", x: [1, 0], y: [1, 1], at: [0, 4] }],
      thresholds: 5,
    },
  ],
  domain: { x: [0, 1], y: [0, 1] },
  isoF1: false,
  highlighted: null,
  xName: "",
  yName: "",
  theme: {} as Model["theme"],
};
const LAYOUT = compose(MODEL, { width: 400, height: 300 });

test("the point nearest to the pointer tells its run and its threshold", () => {
  const spot = nearest(MODEL, LAYOUT, LAYOUT.x.map(0.45), LAYOUT.y.map(0.5))!;
  expect([spot.run, spot.at, thresholdOf(MODEL, spot)]).toEqual([1, 1, 0.5]);
  const other = nearest(MODEL, LAYOUT, LAYOUT.x.map(0.99), LAYOUT.y.map(0.95))!;
  expect([other.run, thresholdOf(MODEL, other)]).toEqual([2, 0]);
});

test("a threshold marks the point of each run that has one there", () => {
  const marks = (at: number) => curvePointsAt(MODEL, LAYOUT, at).map(({ run, at: place }) => [run, place]);
  expect([marks(1), marks(0.5), marks(0)]).toEqual([
    [
      [1, 2],
      [2, 4],
    ],
    [[1, 1]],
    [
      [1, 0],
      [2, 0],
    ],
  ]);
});

test("over the thresholds the pointer means the threshold it stands at, however far the lines are", () => {
  const over: Model = { ...MODEL, mode: "threshold" };
  const spot = nearest(over, LAYOUT, LAYOUT.x.map(0.51), LAYOUT.y.map(1))!;
  expect([spot.run, spot.at]).toEqual([1, 1]);
});

test("a picture is well-formed paths: each begins where it begins", () => {
  const pen = new SvgPen((text) => 6 * text.length);
  const theme = { font: "Inter, sans-serif" } as Model["theme"];
  const model = { ...MODEL, isoF1: true, theme, xName: "Recall", yName: "Precision" };
  drawExport(pen, picture(model, "title", ["a", "b"]), 1);
  const svg = pen.toString({ width: 100, height: 100 }, "title");
  const paths = [...svg.matchAll(/ d="(.)/g)].map((found) => found[1]);
  expect(new Set(paths)).toEqual(new Set(["M"]));
  expect([...svg.matchAll(/>([^<]+)<\/text>/g)].map((found) => found[1])).toEqual(
    expect.arrayContaining(["title", "Precision", "Recall", "F1 0.9", "a", "b"]),
  );
});

test("lines of equal F1 are named outside of the plot, or above its lower edge, where curves seldom run", () => {
  const texts: [string, number, number][] = [];
  const pen = new SvgPen((text) => 6 * text.length);
  pen.fillText = (text: string, x: number, y: number) =>
    void texts.push([text, Math.round(x), Math.round(y)]);
  const theme = { font: "Inter, sans-serif" } as Model["theme"];
  const model: Model = { ...MODEL, isoF1: true, domain: { x: [0, 1], y: [0.5, 1] }, theme };
  drawCurves(pen, model, compose(model, { width: 400, height: 300 }), 1);
  expect(texts.filter(([text]) => text.startsWith("F1"))).toEqual([
    ["F1 0.2", 94, 256],
    ["F1 0.4", 158, 256],
    ["F1 0.6", 286, 256],
    ["F1 0.8", 364, 179],
    ["F1 0.9", 364, 102],
  ]);
});

test("an F1 asks for a precision at each recall; below half of it none is enough", () => {
  expect(
    [precisionAt(0.8, 1), precisionAt(0.8, 0.5), precisionAt(0.8, 0.4)].map((at) => at.toFixed(3)),
  ).toEqual(["0.667", "2.000", "Infinity"]);
});
