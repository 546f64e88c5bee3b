import { expect, test } from "vitest";
import { plainText, titleOf } from "./text-value";

test.each([
  [["a"], 1, "a"],
  [["a", "b", "c", "d"], 2, "a\tb\nc\td"],
  [["a", "b"], 1, "a\nb"],
  [["a", "b", "c"], 2, "a\tb\nc"],
  [[], 0, ""],
])("the cells %j in %i columns read %j", (cells, columns, text) => {
  expect(plainText({ cells, columns })).toBe(text);
});

test.each([
  ["note", "note"],
  ["args/text_summary", "args"],
  ["a/text_summary/b", "a/text_summary/b"],
  ["/text_summary", "/text_summary"],
  ["text_summary", "text_summary"],
])("the tag %s is called %s", (tag, title) => {
  expect(titleOf(tag)).toBe(title);
});
