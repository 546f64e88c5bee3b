import { expect, test } from "vitest";
import { fittingTabs } from "./fitting-tabs";

test("all fit where there is room for all and the button", () => {
  expect([...fittingTabs([50, 50], -1, 158, 50)]).toEqual([0, 1]);
});

test("from the front, as many as fit", () => {
  expect([...fittingTabs([50, 50, 10], -1, 157, 50)]).toEqual([0]);
});

test("the kept one is always there, also where nothing fits", () => {
  expect([...fittingTabs([50, 60, 70], 2, 10, 50)]).toEqual([2]);
});

test("the kept one takes room from the others", () => {
  expect([...fittingTabs([50, 50, 50], 2, 160, 50)].sort()).toEqual([0, 2]);
});

test("all fit without the button where it need not be", () => {
  expect([
    [...fittingTabs([50, 50], -1, 104, 50, false)],
    [...fittingTabs([50, 50], -1, 103, 50, false)],
  ]).toEqual([[0, 1], []]);
});
