import { expect, test } from "vitest";
import type { Row } from "../../chart";
import { endsOf } from "./summarise";

function row(run: number, y: number, smoothed: number | null = null): Row {
  const none = { smoothedX: null, aux: null, lo: null, hi: null, members: null };
  return { run, x: 1, y, smoothed, exact: true, dist: 0, ...none };
}

const ends = (rows: Row[]) => endsOf(rows).map(({ run }) => run);

test("of several runs the least and the greatest, of one its own, of none nothing", () => {
  expect([ends([row(1, 5), row(2, 3), row(3, 4)]), ends([row(1, 5)]), ends([])]).toEqual([[2, 1], [1], []]);
});

test("where lines are smoothed it is the smoothed value that counts", () => {
  expect(ends([row(1, 1, 9), row(2, 5, 5)])).toEqual([2, 1]);
});

test("a run that diverged is told, not passed over", () => {
  expect(ends([row(1, Number.NaN), row(2, 3), row(3, Number.POSITIVE_INFINITY)])).toEqual([2, 1]);
});
