import { expect, test } from "vitest";
import { Shelf } from "./shelf";

const none = () => false;

test("the longest unused goes first when the limit is passed", () => {
  const shelf = new Shelf<string>(20);
  shelf.put("a", "A", 10);
  shelf.put("b", "B", 10);
  shelf.get("a");
  shelf.put("c", "C", 10);
  shelf.trim(none);
  expect([shelf.get("a"), shelf.get("b"), shelf.get("c"), shelf.bytes]).toEqual(["A", undefined, "C", 20]);
});

test("what is needed stays, even above the limit", () => {
  const shelf = new Shelf<string>(5);
  shelf.put("a", "A", 10);
  shelf.trim((key) => key === "a");
  expect([shelf.get("a"), shelf.bytes]).toEqual(["A", 10]);
});

test("a value put again counts once", () => {
  const shelf = new Shelf<string>(100);
  shelf.put("a", "A", 10);
  shelf.put("a", "B", 30);
  expect([shelf.get("a"), shelf.bytes]).toEqual(["B", 30]);
});
