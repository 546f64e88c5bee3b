import { expect, test } from "vitest";
import type { TextHit, TextSearchResponse } from "../../api/text";
import { mergeResults, readSearch } from "./search";

test.each([
  ["", null],
  ["  ", null],
  ["fox", { pattern: "fox", regex: false }],
  [" a.b ", { pattern: "a.b", regex: false }],
  ["/a.b/", { pattern: "a.b", regex: true }],
  ["//", { pattern: "//", regex: false }],
  ["/a", { pattern: "/a", regex: false }],
])("the box %j asks for %j", (text, asked) => {
  expect(readSearch(text)).toEqual(asked);
});

const hit = (step: number): TextHit => ({
  tag: "t",
  run: 0,
  at: String(step),
  step,
  cell: 0,
  matches: 1,
  before: "",
  match: "x",
  after: "",
});
const found = (more: Partial<TextSearchResponse>): TextSearchResponse => ({
  hits: [],
  searched: 0,
  total: 0,
  last: null,
  pattern_given_up: false,
  ...more,
});

test("stretches of one search add up; what was given up once stays said", () => {
  const start = { hits: [], searched: 0, total: 0, givenUp: false, last: null, done: false, error: null };
  const last = { tag: "t", run: 0, at: "1" };
  const first = mergeResults(
    start,
    found({ hits: [hit(1)], searched: 1, total: 3, last, pattern_given_up: true }),
  );
  const second = mergeResults(first, found({ hits: [hit(3)], searched: 3, total: 3 }));

  expect(first).toEqual({
    hits: [hit(1)],
    searched: 1,
    total: 3,
    givenUp: true,
    last,
    done: false,
    error: null,
  });
  expect(second).toEqual({
    hits: [hit(1), hit(3)],
    searched: 3,
    total: 3,
    givenUp: true,
    last: null,
    done: true,
    error: null,
  });
});
