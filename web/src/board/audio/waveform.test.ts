import { expect, test } from "vitest";
import { joinToPrevious, pixelRange } from "./waveform";

const LOW = [-1, -2, -3, -4];
const HIGH = [1, 2, 3, 4];

test.each([
  [0, 4, [-1, 1]],
  [3, 4, [-4, 4]],
  [0, 2, [-2, 2]],
  [1, 2, [-4, 4]],
  [0, 1, [-4, 4]],
  [0, 8, [-1, 1]],
  [7, 8, [-4, 4]],
])("pixel %i of %i spans %j", (x, width, range) => {
  expect(pixelRange(LOW, HIGH, x, width)).toEqual(range);
});

test.each([
  [[1, 2], null, [1, 2]],
  [
    [1, 2],
    [1, 3],
    [1, 2],
  ],
  [
    [3, 4],
    [1, 2],
    [2, 4],
  ],
  [
    [-4, -3],
    [1, 2],
    [-4, 1],
  ],
] as [[number, number], [number, number] | null, [number, number]][])(
  "the column %j behind %j is drawn as %j",
  (range, before, drawn) => {
    expect(joinToPrevious(range, before)).toEqual(drawn);
  },
);

test("a clip without frames has no outline", () => {
  expect(pixelRange([], [], 0, 10)).toBeNull();
});
