import { expect, test } from "vitest";
import { guessScale, nextScale, scaleOf, spaceOut } from "./scales";

const places = (cells: readonly (number | string | null)[], kind?: "linear" | "log" | "quantile") => {
  const scale = scaleOf(cells, kind);
  return cells.map((cell) => {
    const place = scale.place(cell);
    return place === null ? null : Number(place.toFixed(4));
  });
};

test("numbers lie evenly, by their logarithms or by their rank; what is none has no place", () => {
  expect(places([0, 5, 10, null, Number.NaN], "linear")).toEqual([0, 0.5, 1, null, null]);
  expect(places([1e-4, 1e-3, 1e-2], "log")).toEqual([0, 0.5, 1]);
  expect(places([1, 2, 100], "quantile")).toEqual([0, 0.5, 1]);
  expect(places([7, 7], "linear")).toEqual([0.5, 0.5]);
});

test("words lie side by side in natural order, numbers among them", () => {
  expect(places(["x10", "x9", 3])).toEqual([0.8333, 0.5, 0.1667]);
});

test("a scale is guessed by how values lie, and logarithms need values above zero", () => {
  const decades = Array.from({ length: 41 }, (_, at) => 10 ** (-5 + at / 10));
  const even = Array.from({ length: 1000 }, (_, at) => (at + 1) / 1000);
  expect([guessScale(decades), guessScale(even), guessScale([32, 64]), guessScale([])]).toEqual([
    "log",
    "linear",
    "linear",
    "linear",
  ]);
  expect(scaleOf([0, 1], "log").kind).toBe("linear");
});

test("a click goes through the scales that make sense", () => {
  const kinds = (cells: readonly number[]) => {
    const first = scaleOf(cells, "linear");
    const second = nextScale(first, cells);
    return [second, nextScale(scaleOf(cells, second), cells)];
  };
  expect(kinds([1, 2])).toEqual(["log", "quantile"]);
  expect(kinds([0, 2])).toEqual(["quantile", "linear"]);
});

test("a brush is a filter: open where it reaches an end, the words it covers", () => {
  const numbers = scaleOf([0, 10], "linear");
  expect([numbers.between(0.25, 0.5), numbers.between(-1, 0.5), numbers.between(0.5, 2)]).toEqual([
    { kind: "range", low: 2.5, high: 5, missing: false },
    { kind: "range", low: null, high: 5, missing: false },
    { kind: "range", low: 5, high: null, missing: false },
  ]);
  expect(scaleOf(["a", "b", "c"], undefined).between(0, 0.6)).toEqual({
    kind: "words",
    words: ["a", "b"],
    missing: false,
  });
});

test("a filter is drawn where it lies, neighbours as one piece", () => {
  expect(scaleOf([0, 10], "linear").pieces({ kind: "range", low: 2.5, high: null, missing: false })).toEqual([
    [0.25, 1],
  ]);
  const words = scaleOf(["a", "b", "c", "d"], undefined);
  expect(words.pieces({ kind: "words", words: ["a", "b", "d"], missing: false })).toEqual([
    [0, 0.5],
    [0.75, 1],
  ]);
});

test("few values are marked each, more by round ones", () => {
  expect(scaleOf([16, 32, 64], "linear").ticks.map(({ text }) => text)).toEqual(["16", "32", "64"]);
  const many = Array.from({ length: 30 }, (_, at) => at);
  expect(scaleOf(many, "linear").ticks.map(({ text }) => text)).toEqual(["0", "5", "10", "15", "20", "25"]);
});

test("marks too near to each other are left out, the ends are not", () => {
  const ticks = [0, 0.03, 0.5, 0.54, 0.97, 1].map((place) => ({ place, text: String(place) }));
  expect(spaceOut(ticks, 0.05).map(({ place }) => place)).toEqual([0, 0.5, 1]);
  expect(spaceOut([], 0.05)).toEqual([]);
});
