import { expect, test } from "vitest";
import { clipSpan, findMonotoneRuns, findSegments } from "./segments";

const NONE = Number.NaN;
const PLAIN = { logX: false, logY: false, tangled: false, paused: false };

test("a monotone run ends where x goes back, and not where it stays", () => {
  expect([...findMonotoneRuns([0, 1, 1, 2, 1, 2, 0])]).toEqual([0, 4, 4, 6, 6, 7]);
});

test("no points, no monotone runs", () => {
  expect([...findMonotoneRuns([]), ...findSegments([], [], PLAIN)]).toEqual([]);
});

test("a segment is cut at what is not finite", () => {
  const y = [NONE, 1, 2, Number.POSITIVE_INFINITY, 3, NONE, NONE, 4];
  expect([...findSegments([0, 1, 2, 3, 4, 5, 6, 7], y, PLAIN)]).toEqual([1, 3, 4, 5, 7, 8]);
});

test("a segment is cut where x goes back", () => {
  expect([...findSegments([0, 1, 2, 1, 2], [1, 1, 1, 1, 1], PLAIN)]).toEqual([0, 3, 3, 5]);
});

test("x going back behind a gap starts no segment twice", () => {
  expect([...findSegments([0, 1, 2, 1, 2], [1, 1, NONE, 1, 1], PLAIN)]).toEqual([0, 2, 3, 5]);
});

test("on a log axis only what is positive is drawn", () => {
  expect([...findSegments([0, 1, 2, 3], [1, 0, -1, 2], { ...PLAIN, logY: true })]).toEqual([0, 1, 3, 4]);
});

test("where the order of points counts, x may go back within a segment", () => {
  expect([...findSegments([0, 2, 1, 3], [1, 1, NONE, 1], { ...PLAIN, tangled: true })]).toEqual([0, 2, 3, 4]);
  expect([...findSegments([0, 2, 1, 3], [1, 1, 1, 1], { ...PLAIN, tangled: true })]).toEqual([0, 4]);
});

test("on an axis with pauses a segment is cut where the run was started again", () => {
  const [x, y, restarts] = [
    [0, 1, 2, 9, 10, 20],
    [1, 1, 1, 1, 1, 1],
    [8.5, 8.7, 20],
  ];
  expect([...findSegments(x, y, { ...PLAIN, paused: true }, restarts)]).toEqual([0, 3, 3, 5, 5, 6]);
  expect([...findSegments(x, y, PLAIN, restarts)]).toEqual([0, 6]);
});

test("a log axis of x begins behind zero", () => {
  expect([...findSegments([-1, 0, 1, 2], [1, 1, 1, 1], { ...PLAIN, logX: true })]).toEqual([2, 4]);
});

test("clipping keeps the points inside, and one more on either side if asked", () => {
  const x = [0, 1, 2, 3, 4, 5];
  expect(clipSpan(x, 0, 6, 1.5, 3, false)).toEqual([2, 4]);
  expect(clipSpan(x, 0, 6, 1.5, 3, true)).toEqual([1, 5]);
  expect(clipSpan(x, 0, 6, 2.2, 2.8, true)).toEqual([2, 4]);
  expect(clipSpan(x, 2, 4, -9, 99, true)).toEqual([2, 4]);
});
