import { expect, test } from "vitest";
import { next } from "./picked";

const ORDER = ["a", "b", "c", "d"];
const click = { range: false, also: false, order: ORDER, last: null };

test("a click picks one run, and a second click lets it go", () => {
  expect([...next(new Set(["b", "c"]), "a", click)]).toEqual(["a"]);
  expect([...next(new Set(["a"]), "a", click)]).toEqual([]);
});

test("with Ctrl runs come and go one by one", () => {
  const also = { ...click, also: true };
  expect([...next(new Set(["a"]), "c", also)]).toEqual(["a", "c"]);
  expect([...next(new Set(["a", "c"]), "a", also)]).toEqual(["c"]);
});

test("with Shift everything from the last click to this one is picked, up or down", () => {
  expect([...next(new Set(["a"]), "c", { ...click, range: true, last: "a" })]).toEqual(["a", "b", "c"]);
  expect([...next(new Set(["d"]), "b", { ...click, range: true, last: "d" })]).toEqual(["b", "c", "d"]);
  expect([...next(new Set(["a", "d"]), "c", { ...click, range: true, also: true, last: "b" })]).toEqual([
    "a",
    "d",
    "b",
    "c",
  ]);
});
