import { expect, test } from "vitest";
import { shownStatus, statusOf } from "./run-details";

test.each([
  ["success", "live", "running"],
  ["success", "idle", "finished"],
  ["failure", "live", "failed"],
  ["failure", "idle", "failed"],
  ["unknown", "live", "running"],
  ["unknown", "idle", "idle"],
  ["running", "idle", "idle"],
] as const)("a run whose session says %s and whose files are %s is %s", (outcome, status, expected) => {
  expect(statusOf({ outcome, status })).toBe(expected);
});

test.each([
  ["finished", "diverged"],
  ["idle", "diverged"],
  ["failed", "failed"],
  ["running", "running"],
] as const)("a run that is %s and ended in NaN is said to be %s", (status, expected) => {
  const nonfinite = { tag: "train/loss", step: 3310, value: Number.NaN, tags: 3 };
  expect(shownStatus({ status, nonfinite })).toBe(expected);
  expect(shownStatus({ status, nonfinite: null })).toBe(status);
});
