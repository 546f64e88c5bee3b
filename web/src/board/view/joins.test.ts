import { expect, test } from "vitest";
import { cardOf, tagsOf, withJoined, withoutJoined } from "./joins";

test("a card put on another comes after what is there, and the first tag names both", () => {
  const once = withJoined([], "train/loss", "eval/loss");
  const twice = withJoined(once, "eval/loss", "test/loss");
  expect([once, twice]).toEqual([[["train/loss", "eval/loss"]], [["train/loss", "eval/loss", "test/loss"]]]);
  expect([cardOf(twice, "test/loss"), tagsOf(twice, "train/loss"), tagsOf(twice, "other")]).toEqual([
    "train/loss",
    ["train/loss", "eval/loss", "test/loss"],
    ["other"],
  ]);
});

test("two cards of several tags become one", () => {
  const two = [
    ["a", "b"],
    ["c", "d"],
  ];
  expect(withJoined(two, "a", "d")).toEqual([["a", "b", "c", "d"]]);
});

test("a card is not put on itself", () => {
  const joined = [["a", "b"]];
  expect(withJoined(joined, "a", "b")).toBe(joined);
});

test("a tag taken out leaves the others; one alone is a card as any other", () => {
  expect(withoutJoined([["a", "b", "c"]], "a")).toEqual([["b", "c"]]);
  expect(withoutJoined([["a", "b"]], "b")).toEqual([]);
});
