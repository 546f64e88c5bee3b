import { expect, test } from "vitest";
import { adjacentCard, cardOnSide, setCardOrder } from "./card-navigation";

const sides = (tag: string) => [cardOnSide(tag, -1), cardOnSide(tag, 1)];

test("keys go around the ends", () => {
  setCardOrder(["a", "b", "c"]);
  expect([adjacentCard("c", 1), adjacentCard("a", -1), adjacentCard(null, 1)]).toEqual(["a", "c", "a"]);
});

test("of three cards each has one on either side", () => {
  setCardOrder(["a", "b", "c"]);
  expect(["a", "b", "c"].map(sides)).toEqual([
    ["c", "b"],
    ["a", "c"],
    ["b", "a"],
  ]);
});

test("of two cards each is beside the other once, and one alone has none", () => {
  setCardOrder(["a", "b"]);
  expect(["a", "b"].map(sides)).toEqual([
    [null, "b"],
    ["a", null],
  ]);
  setCardOrder(["a"]);
  expect(sides("a")).toEqual([null, null]);
});
