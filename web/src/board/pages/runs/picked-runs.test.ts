import { expect, test } from "vitest";
import { nextPicked } from "./picked-runs";

const ORDER = ["a", "b", "c", "d"];
const click = { range: false, also: false, order: ORDER, last: null };

test("a click picks one run, and a second click lets it go", () => {
  expect([...nextPicked(new Set(["b", "c"]), "a", click)]).toEqual(["a"]);
  expect([...nextPicked(new Set(["a"]), "a", click)]).toEqual([]);
});

test("with Ctrl runs come and go one by one", () => {
  const also = { ...click, also: true };
  expect([...nextPicked(new Set(["a"]), "c", also)]).toEqual(["a", "c"]);
  expect([...nextPicked(new Set(["a", "c"]), "a", also)]).toEqual(["c"]);
});

test("with Shift everything from the last click to this one is picked, up or down", () => {
  expect([...nextPicked(new Set(["a"]), "c", { ...click, range: true, last: "a" })]).toEqual(["a", "b", "c"]);
  expect([...nextPicked(new Set(["d"]), "b", { ...click, range: true, last: "d" })]).toEqual(["b", "c", "d"]);
  expect([...nextPicked(new Set(["a", "d"]), "c", { ...click, range: true, also: true, last: "b" })]).toEqual(
    ["a", "d", "b", "c"],
  );
});
