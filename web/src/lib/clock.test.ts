import { expect, test } from "vitest";
import { formatClock, utc } from "./clock";

test("an instant is a date and a time of day in its zone", () => {
  const instant = Date.UTC(2026, 10, 20, 13, 5, 9) / 1000;
  expect(formatClock(instant, utc)).toBe("2026-11-20 13:05:09");
  expect(formatClock(instant, () => 3 * 3600)).toBe("2026-11-20 16:05:09");
});

test("what no date can hold is a dash", () => {
  expect(formatClock(Number.NaN, utc)).toBe("–");
  expect(formatClock(1e18, utc)).toBe("–");
});
