import { describe, expect, test } from "vitest";
import { emptyScreenPositions, type ScreenPositions } from "./camera";
import { Grid, rowsInside } from "./picking";
import { HIDDEN, shuffledIndex } from "./splat";

function scattered(count: number): ScreenPositions {
  const places = emptyScreenPositions(count);
  for (let row = 0; row < count; row++) {
    places.x[row] = shuffledIndex(row, 997) / 2;
    places.y[row] = shuffledIndex(3 * row, 499) / 2;
    places.far[row] = (row % 10) / 10;
  }
  return places;
}

function nearestByAll({ count, x, y }: ScreenPositions, toX: number, toY: number, within: number): number {
  const rows = Array.from({ length: count }, (_, row) => row);
  const far = (row: number) => Math.hypot(x[row]! - toX, y[row]! - toY);
  return rows.filter((row) => far(row) <= within).toSorted((a, b) => far(a) - far(b))[0] ?? -1;
}

describe("Grid", () => {
  const places = scattered(2000);
  const grid = new Grid(places, new Uint8Array(2000), 500, 250);

  test.each([
    [100, 100, 9],
    [0, 0, 30],
    [499, 249, 12],
    [333.3, 17.2, 5],
  ])("the nearest to %s, %s is what a look at all points finds", (x, y, within) => {
    const [found, wanted] = [grid.nearest(x, y, within), nearestByAll(places, x, y, within)];
    const far = (row: number) => Math.hypot(places.x[row]! - x, places.y[row]! - y);
    expect(far(found)).toBe(far(wanted));
  });

  test("nothing near is nothing", () => {
    expect(grid.nearest(-200, -200, 5)).toBe(-1);
  });

  test("of two in one place the one nearer to the eye is meant", () => {
    const two = emptyScreenPositions(2);
    two.x.fill(10);
    two.y.fill(10);
    two.far.set([0.8, 0.1]);
    expect(new Grid(two, new Uint8Array(2), 50, 50).nearest(11, 10, 5)).toBe(1);
  });

  test("what is hidden is not found", () => {
    const one = emptyScreenPositions(1);
    one.x.fill(10);
    one.y.fill(10);
    expect(new Grid(one, Uint8Array.of(HIDDEN), 50, 50).nearest(10, 10, 5)).toBe(-1);
  });
});

describe("enclosed", () => {
  const places = emptyScreenPositions(4);
  places.x.set([5, 15, 5, 40]);
  places.y.set([5, 5, 15, 40]);

  test("a box holds what lies in it", () => {
    expect([...rowsInside(places, new Uint8Array(4), [0, 0, 20, 0, 20, 10, 0, 10])]).toEqual([0, 1]);
  });

  test("a bay of the line is outside", () => {
    const bay = [0, 0, 20, 0, 20, 20, 12, 20, 12, 2, 8, 2, 8, 20, 0, 20];
    expect([...rowsInside(places, new Uint8Array(4), bay)]).toEqual([0, 1, 2]);
    const wide = [0, 0, 20, 0, 20, 2, 3, 2, 3, 20, 0, 20];
    expect([...rowsInside(places, new Uint8Array(4), wide)]).toEqual([]);
  });

  test("hidden rows are left out", () => {
    const states = Uint8Array.of(0, HIDDEN, 0, 0);
    expect([...rowsInside(places, states, [0, 0, 50, 0, 50, 50, 0, 50])]).toEqual([0, 2, 3]);
  });
});
