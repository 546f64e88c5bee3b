import { describe, expect, test } from "vitest";
import { emptyScreenPositions } from "./camera";
import { LABEL_PX, labelCandidates, placeLabels, spreadCandidates } from "./labels";
import { CHOSEN, HIDDEN, shuffledIndex } from "./splat";

const SIZE = { width: 300, height: 200 };
const CELL = { width: 60, height: 20 };

function scattered(count: number, dx = 0) {
  const places = emptyScreenPositions(count);
  for (let row = 0; row < count; row++) {
    places.x[row] = (shuffledIndex(row, 601) % 300) + dx;
    places.y[row] = shuffledIndex(7 * row, 401) % 200;
  }
  return places;
}

describe("thinned", () => {
  const places = scattered(500);

  test("each cell has one", () => {
    const rows = labelCandidates(places, new Uint8Array(500), CELL, { x: 0, y: 0 }, SIZE);
    const cells = rows.map(({ x, y }) => `${Math.floor(x / 60)},${Math.floor(y / 20)}`);
    expect(new Set(cells).size).toBe(cells.length);
  });

  test("a pan keeps the same ones", () => {
    const still = labelCandidates(places, new Uint8Array(500), CELL, { x: 0, y: 0 }, SIZE);
    const moved = labelCandidates(scattered(500, 13), new Uint8Array(500), CELL, { x: 13, y: 0 }, SIZE);
    const inSight = still.filter(({ x }) => x + 13 < SIZE.width).map(({ row }) => row);
    expect(inSight.filter((row) => !moved.some((other) => other.row === row))).toEqual([]);
  });

  test("chosen rows come first, hidden ones not at all", () => {
    const states = new Uint8Array(500).fill(HIDDEN);
    states[17] = CHOSEN;
    states[18] = 0;
    const rows = labelCandidates(places, states, CELL, { x: 0, y: 0 }, SIZE).map(({ row }) => row);
    expect(rows).toEqual([17, 18]);
  });
});

describe("placed", () => {
  test("beside the point: right, then left, above, below, then nowhere", () => {
    const same = [0, 1, 2, 3, 4].map((row) => ({ row, x: 150, y: 100 }));
    const labels = placeLabels(same, () => 40, SIZE);
    expect(labels.map(({ row, left, middle }) => [row, left, middle])).toEqual([
      [0, 156, 100],
      [1, 104, 100],
      [2, 130, 86],
      [3, 130, 114],
    ]);
  });

  test("no label lies over another or leaves the picture", () => {
    const many = Array.from({ length: 300 }, (_, row) => ({
      row,
      x: shuffledIndex(row, 601) % 300,
      y: shuffledIndex(7 * row, 401) % 200,
    }));
    const labels = placeLabels(many, (row) => 20 + (row % 5) * 10, SIZE);
    expect(labels.length).toBeGreaterThan(20);
    const boxes = labels.map(({ row, left, middle }) => ({
      left,
      right: left + 20 + (row % 5) * 10,
      top: middle - LABEL_PX / 2,
      bottom: middle + LABEL_PX / 2,
    }));
    for (const [at, a] of boxes.entries()) {
      expect(a.left >= 0 && a.right <= 300 && a.top >= 0 && a.bottom <= 200).toBe(true);
      for (const b of boxes.slice(at + 1)) {
        expect(a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top).toBe(false);
      }
    }
  });

  test("what has no text has no label", () => {
    expect(placeLabels([{ row: 0, x: 10, y: 10 }], () => 0, SIZE)).toEqual([]);
  });
});

test("pictures that would meet another are left out", () => {
  const row = (row: number, x: number) => ({ row, x, y: 50 });
  expect(
    spreadCandidates([row(0, 10), row(1, 40), row(2, 50), row(3, 95)], 40).map(({ row }) => row),
  ).toEqual([0, 2, 3]);
});
