import { expect, test } from "vitest";
import { pictureOf, RecordingPen, seriesOf } from "./chart.fixture";
import { drawOverlay, flagText, formatX, isBlank, type Overlay } from "./cursor";

const BLANK: Overlay = {
  cursor: null,
  own: false,
  pinned: null,
  range: null,
  draggable: false,
  box: null,
  hint: null,
  highlighted: null,
  target: null,
  axis: "step",
};
const picture = pictureOf([seriesOf(1, [0, 50, 100], [0, 10, 0]), seriesOf(2, [0, 100], [5, 5])], {
  yRange: [0, 10],
});

function draw(overlay: Partial<Overlay>): string[] {
  const pen = new RecordingPen();
  drawOverlay(pen, picture, { ...BLANK, ...overlay }, 1);
  return pen.calls;
}

test("under the pointer: a dashed line and the points that have this step", () => {
  expect(draw({ cursor: 50, own: true })).toEqual([
    "stroke cursor 1 @1 dash 4-3: M86.5,4 L86.5,108",
    "fill surface @1: O86,8,4",
    "fill color1 @1: O86,8,2.75",
  ]);
});

test("of a crowd of lines only the point of the one in front is drawn", () => {
  const many = Array.from({ length: 61 }, (_, run) => seriesOf(run, [0, 50, 100], [0, 10, 0]));
  const pen = new RecordingPen();
  const overlay = { ...BLANK, cursor: 50, own: true, highlighted: 7 };
  drawOverlay(pen, pictureOf(many, { yRange: [0, 10] }), overlay, 1);
  expect(pen.all("fill")).toEqual(["fill surface @1: O86,8,5.25", "fill color7 @1: O86,8,4"]);
});

test("on the other charts: a dotted line", () => {
  expect(draw({ cursor: 50 })).toEqual(["stroke cursor 1 @1 dash 1-3: M86.5,4 L86.5,108"]);
});

test("where this chart has no such step it names the nearest", () => {
  expect(draw({ cursor: 90 }).at(-1)).toBe("text axisText left 90,11: ≈ 100");
});

test("a thinned chart does not claim to lack a step that is within its pixel", () => {
  const thinned = pictureOf([seriesOf(1, [0, 50, 100], [0, 10, 0], { raw: false })]);
  const texts = [51, 60].map((cursor) => {
    const pen = new RecordingPen();
    drawOverlay(pen, thinned, { ...BLANK, cursor }, 1);
    return pen.all("text").length;
  });
  expect(texts).toEqual([0, 1]);
});

test("a pinned step is a line in the accent colour, and stays under the cursor", () => {
  const calls = draw({ pinned: 0, cursor: 50 });
  expect(calls[0]).toBe("stroke accent 1 @1: M36.5,4 L36.5,108");
  expect(calls).toHaveLength(2);
});

test("a step out of view is not drawn at the edge", () => {
  expect(draw({ cursor: 500, pinned: -3 })).toEqual([]);
});

test("a box being dragged keeps inside the plot, and no cursor disturbs", () => {
  const box = { left: 50, top: 0, right: 300, bottom: 60 };
  expect(draw({ box, cursor: 50, own: true })).toEqual(["stroke accent 1 @1: R50.5,8.5,85,51"]);
});

test("an overlay without anything is blank", () => {
  expect([isBlank(BLANK), isBlank({ ...BLANK, pinned: 0 })]).toEqual([true, false]);
});

test("x is written in the words of its axis", () => {
  expect([formatX(9950, "step"), formatX(4320, "relative")]).toEqual(["9\u2009950", "1 h 12 m"]);
});

test("two flags with times fit below a narrow card", () => {
  expect(flagText(1.75e9, "wall")).toMatch(/^\d\d-\d\d \d\d:\d\d:\d\d$/);
  expect(flagText(9950, "step")).toBe("9\u2009950");
});
