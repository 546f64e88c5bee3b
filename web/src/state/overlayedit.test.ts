import { expect, test } from "vitest";
import { type Added, edited, inverse } from "./overlayedit";

const NOTHING: Added = { runs: {}, views: {} };
const SOME: Added = {
  runs: { a: { note: "first", hidden: true }, "b/c": { display_name: "B" } },
  views: { best: { address: "?log=true#timeseries", saved: 5 } },
};

test("an edit adds, replaces and removes fields", () => {
  const next = edited(SOME, { runs: { a: { hidden: null, color: 3 }, new: { tags: ["x"] } } });
  expect(next.runs).toEqual({
    a: { note: "first", color: 3 },
    "b/c": { display_name: "B" },
    new: { tags: ["x"] },
  });
});

test("an entry that says nothing is gone", () => {
  expect(edited(SOME, { runs: { "b/c": { display_name: "" } }, views: { best: null } })).toEqual({
    runs: { a: { note: "first", hidden: true } },
    views: {},
  });
});

test("an edit that changes nothing gives the same runs", () => {
  expect(edited(SOME, { runs: { a: { hidden: true } } }).runs).toBe(SOME.runs);
});

test("slot 0 is a colour", () => {
  expect(edited(NOTHING, { runs: { a: { color: 0 } } }).runs).toEqual({ a: { color: 0 } });
});

test("names are data, whatever they are called", () => {
  const next = edited(NOTHING, { runs: { constructor: { hidden: true } } });
  expect(Object.keys(next.runs)).toEqual(["constructor"]);
});

test.each([
  [{ runs: { a: { hidden: false, note: "other" } } }],
  [{ runs: { a: null } }],
  [{ runs: { fresh: { archived: true } } }],
  [{ views: { best: null, renamed: { address: "#runs", saved: 7 } } }],
])("the inverse of an edit brings back what was: %j", (edit) => {
  expect(edited(edited(SOME, edit), inverse(SOME, edit))).toEqual(SOME);
});
