import { expect, test } from "vitest";
import { drawMarks, handleAt, type Marks } from "./handles";
import { pictureOf, seriesOf, WrittenPen } from "./sample";

const picture = pictureOf([seriesOf(1, [0, 50, 100], [0, 10, 0])], { yRange: [0, 10] });
const NONE: Marks = { pinned: null, range: null, draggable: true };
const below = picture.plot.bottom + 4;

function draw(marks: Partial<Marks>, named = false): string[] {
  const pen = new WrittenPen();
  drawMarks(pen, picture, { ...NONE, ...marks }, "step", 1, named ? (x) => `at ${x}` : null);
  return pen.calls;
}

test("a handle is taken at its grip below the plot, not in the plot", () => {
  const marks = { ...NONE, pinned: 50 };
  const at = (x: number, y: number) => handleAt(picture, marks, { x, y });
  expect([at(86, below), at(92, below), at(96, below), at(86, 50)]).toEqual(["pin", "pin", null, null]);
});

test("of a range both ends can be taken, also where the pin is one of them", () => {
  const marks: Marks = { ...NONE, pinned: 0, range: [0, 100] };
  expect([36, 136, 86].map((x) => handleAt(picture, marks, { x, y: below }))).toEqual(["from", "to", null]);
});

test("a finger needs less aim", () => {
  const marks = { ...NONE, pinned: 50 };
  expect([false, true].map((finger) => handleAt(picture, marks, { x: 100, y: below }, finger))).toEqual([
    null,
    "pin",
  ]);
});

test("a grip says where it stands if asked to", () => {
  expect(draw({ pinned: 50 }, true).at(-1)).toBe("text surface left 71,120.5: at 50");
});

test("what cannot be dragged is a line alone, and what is out of view is nothing", () => {
  expect(draw({ pinned: 50, draggable: false })).toEqual(["stroke accent 1 @1: M86.5,4 L86.5,108"]);
  expect(draw({ pinned: 200 })).toEqual([]);
});
