import { expect, test } from "vitest";
import { type Filter, isOpen, parseFilter, passes, printFilter } from "./trial-filter";

const CELLS = [1, 2, 3, "adam", "sgd", null, Number.NaN];
const left = (filter: Filter) => CELLS.filter(passes(filter));

test("a range leaves numbers between its ends, ends included", () => {
  expect(left({ kind: "range", low: 2, high: null, missing: false })).toEqual([2, 3]);
  expect(left({ kind: "range", low: 1, high: 2, missing: true })).toEqual([1, 2, null, Number.NaN]);
});

test("a list and a pattern leave words, numbers as they are written", () => {
  expect(left({ kind: "words", words: ["sgd", "2"], missing: false })).toEqual([2, "sgd"]);
  expect(left({ kind: "pattern", text: "^A", missing: false })).toEqual(["adam"]);
});

test("a pattern that makes no sense leaves everything", () => {
  expect(left({ kind: "pattern", text: "(", missing: true })).toEqual(CELLS);
});

test("a filter that lets everything pass is none", () => {
  expect(isOpen({ kind: "range", low: null, high: null, missing: true })).toBe(true);
  expect(isOpen({ kind: "range", low: null, high: null, missing: false })).toBe(false);
  expect(isOpen({ kind: "words", words: [], missing: true })).toBe(false);
});

test.each([
  { kind: "range", low: 1e-4, high: null, missing: false },
  { kind: "range", low: null, high: null, missing: false },
  { kind: "words", words: ["a,b", '"'], missing: true },
  { kind: "pattern", text: "?~=a..b", missing: true },
] satisfies Filter[])("survives the way through the address: %o", (filter) => {
  expect(parseFilter(printFilter(filter))).toEqual(filter);
});

test.each(["", "1", "a..b", "1..2..3", "=no", "={}"])("no filter: %s", (text) => {
  expect(parseFilter(text)).toBeUndefined();
});
