import { expect, test } from "vitest";
import { statusOf } from "./facts";

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
