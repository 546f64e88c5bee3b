import { expect, test } from "vitest";
import { pictureOf, RecordingPen, seriesOf } from "./chart.fixture";
import { drawMarks, type HandleMarks, handleAt } from "./handles";
import { tickLabelStart } from "./picture";

const picture = pictureOf([seriesOf(1, [0, 50, 100], [0, 10, 0])], { yRange: [0, 10] });
const NONE: HandleMarks = { pinned: null, range: null, draggable: true };
const below = picture.plot.bottom + 4;

function draw(marks: Partial<HandleMarks>, named = false): string[] {
  const pen = new RecordingPen();
  drawMarks(pen, picture, { ...NONE, ...marks }, "step", 1, named ? (x) => `at ${x}` : null);
  return pen.calls;
}

test("a handle is taken at its grip below the plot, not in the plot", () => {
  const marks = { ...NONE, pinned: 50 };
  const at = (x: number, y: number) => handleAt(picture, marks, { x, y });
  expect([at(86, below), at(92, below), at(96, below), at(86, 50)]).toEqual(["pin", "pin", null, null]);
});

test("of a range both ends can be taken, also where the pin is one of them", () => {
  const marks: HandleMarks = { ...NONE, pinned: 0, range: [0, 100] };
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
  expect(draw({ pinned: 50 }, true).at(-1)).toBe("text surface center 86,120.5: at 50");
});

/** From and to of the rectangles filled in the row of the axis' labels. */
function rowOf(calls: readonly string[], color: string): [number, number][] {
  return calls.flatMap((call) => {
    const found = new RegExp(`^fill ${color} @1: R([\\d.]+),111,([\\d.]+),18$`).exec(call);
    return found ? [[Number(found[1]), Number(found[1]) + Number(found[2])] as [number, number]] : [];
  });
}

test("flags keep clear of each other, of the labels of y and of the edge, wherever the ends are", () => {
  for (const range of [
    [0, 1],
    [49, 51],
    [99, 100],
    [0, 100],
  ] as const) {
    const [a, b] = rowOf(draw({ range }, true), "accent");
    expect(a![0]).toBeGreaterThanOrEqual(picture.plot.left - 6);
    expect(b![0]).toBeGreaterThanOrEqual(a![1]);
    expect(b![1]).toBeLessThanOrEqual(picture.size.width - 14);
  }
});

test("no label of the axis is covered in part", () => {
  const labels = picture.xTicks.labels.map((label, i): [number, number] => {
    const start = tickLabelStart(picture, picture.xTicks.values[i]!, 6 * label.length);
    return [start, start + 6 * label.length];
  });
  for (let at = 0; at <= 100; at += 5) {
    const calls = draw({ pinned: at }, true);
    const [flag] = rowOf(calls, "accent");
    const hidden = rowOf(calls, "surface");
    for (const [from, to] of labels) {
      const met = from < flag![1] && flag![0] < to;
      if (met) expect(hidden.some(([left, right]) => left <= from && to <= right)).toBe(true);
    }
  }
});

test("where three do not fit, the ends of the range are named", () => {
  const texts = draw({ pinned: 50, range: [10, 90] }, true).filter((call) => call.startsWith("text"));
  expect(texts.map((text) => text.split(": ")[1])).toEqual(["at 10", "at 90"]);
});

test("what cannot be dragged is a line alone, and what is out of view is nothing", () => {
  expect(draw({ pinned: 50, draggable: false })).toEqual(["stroke accent 1 @1: M86.5,4 L86.5,108"]);
  expect(draw({ pinned: 200 })).toEqual([]);
});
