import { expect, test } from "vitest";
import { cardBeside, neighbour, setOrder } from "./walk";

const sides = (tag: string) => [cardBeside(tag, -1), cardBeside(tag, 1)];

test("keys go around the ends", () => {
  setOrder(["a", "b", "c"]);
  expect([neighbour("c", 1), neighbour("a", -1), neighbour(null, 1)]).toEqual(["a", "c", "a"]);
});

test("of three cards each has one on either side", () => {
  setOrder(["a", "b", "c"]);
  expect(["a", "b", "c"].map(sides)).toEqual([
    ["c", "b"],
    ["a", "c"],
    ["b", "a"],
  ]);
});

test("of two cards each is beside the other once, and one alone has none", () => {
  setOrder(["a", "b"]);
  expect(["a", "b"].map(sides)).toEqual([
    [null, "b"],
    ["a", null],
  ]);
  setOrder(["a"]);
  expect(sides("a")).toEqual([null, null]);
});
