import { expect, test } from "vitest";
import { type AnnotationEntries, applyEdit, inverseEdit } from "./annotation-edits";

const NOTHING: AnnotationEntries = { runs: {}, views: {} };
const SOME: AnnotationEntries = {
  runs: { a: { note: "first", hidden: true }, "b/c": { display_name: "B" } },
  views: { best: { address: "?log=true#timeseries", saved: 5 } },
};

test("an edit adds, replaces and removes fields", () => {
  const next = applyEdit(SOME, { runs: { a: { hidden: null, color: 3 }, new: { tags: ["x"] } } });
  expect(next.runs).toEqual({
    a: { note: "first", color: 3 },
    "b/c": { display_name: "B" },
    new: { tags: ["x"] },
  });
});

test("an entry that says nothing is gone", () => {
  expect(applyEdit(SOME, { runs: { "b/c": { display_name: "" } }, views: { best: null } })).toEqual({
    runs: { a: { note: "first", hidden: true } },
    views: {},
  });
});

test("an edit that changes nothing gives the same runs", () => {
  expect(applyEdit(SOME, { runs: { a: { hidden: true } } }).runs).toBe(SOME.runs);
});

test("slot 0 is a colour", () => {
  expect(applyEdit(NOTHING, { runs: { a: { color: 0 } } }).runs).toEqual({ a: { color: 0 } });
});

test("names are data, whatever they are called", () => {
  const next = applyEdit(NOTHING, { runs: { constructor: { hidden: true } } });
  expect(Object.keys(next.runs)).toEqual(["constructor"]);
});

test.each([
  [{ runs: { a: { hidden: false, note: "other" } } }],
  [{ runs: { a: null } }],
  [{ runs: { fresh: { archived: true } } }],
  [{ views: { best: null, renamed: { address: "#runs", saved: 7 } } }],
])("the inverse of an edit brings back what was: %j", (edit) => {
  expect(applyEdit(applyEdit(SOME, edit), inverseEdit(SOME, edit))).toEqual(SOME);
});
