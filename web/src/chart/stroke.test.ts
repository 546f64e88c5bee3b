import { expect, test } from "vitest";
import { RecordingPen } from "./chart.fixture";
import { Polyline } from "./polyline";
import { type Stroke, strokePolyline } from "./stroke";

const PLAIN: Stroke = { width: 1.5, dash: [], pixelRatio: 1, crowded: false, opaque: true };

function stroke(n: number, more: Partial<Stroke>): RecordingPen {
  const line = new Polyline();
  line.begin(n);
  for (let i = 0; i < n; i++) line.add(i, 0);
  const pen = new RecordingPen();
  pen.strokeStyle = "c";
  strokePolyline(pen, line, { ...PLAIN, ...more });
  return pen;
}

test("a line among few is one stroke of its width", () => {
  expect(stroke(3, {}).calls).toEqual(["stroke c 1.5 @1: M0,0 L1,0 L2,0"]);
});

test("in a crowd its width comes from thin lines side by side", () => {
  expect(stroke(2, { crowded: true }).calls).toEqual([
    "stroke c 1 @1: M0,-0.25 L1,-0.25",
    "stroke c 1 @1: M0,0.25 L1,0.25",
  ]);
});

test("a line that shines through is drawn once", () => {
  expect(stroke(2, { crowded: true, opaque: false }).calls).toEqual(["stroke c 1 @1: M0,0 L1,0"]);
});

test("on a sharp screen a crowd is drawn in pieces that meet", () => {
  const { calls } = stroke(20, { crowded: true, pixelRatio: 2 });
  expect(calls.map((call) => call.split(" ").at(-1))).toEqual(["L16,0", "L19,0"]);
  expect(calls[1]).toContain("M16,0");
});

test("a dashed line is never cut in pieces, as its dashes would begin anew", () => {
  expect(stroke(20, { crowded: true, pixelRatio: 2, dash: [6, 3] }).calls).toHaveLength(1);
});

test("the corners stroked are counted", () => {
  const line = new Polyline();
  line.begin(2);
  line.add(0, 0);
  line.add(1, 1);
  const pen = new RecordingPen();
  expect(strokePolyline(pen, line, PLAIN)).toBe(2);
  expect(strokePolyline(pen, line, { ...PLAIN, crowded: true, width: 2.25 })).toBe(6);
});
