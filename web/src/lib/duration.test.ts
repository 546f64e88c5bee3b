import { expect, test } from "vitest";
import { formatDuration } from "./duration";

test.each([
  [0, "0 s"],
  [0.0042, "4.2 ms"],
  [0.85, "850 ms"],
  [1.25, "1.25 s"],
  [42.4, "42 s"],
  [72, "1 m 12 s"],
  [3_600, "1 h"],
  [4_320, "1 h 12 m"],
  [7_199, "2 h"],
  [86_399, "1 d"],
  [183_600, "2 d 3 h"],
  [-90, "−1 m 30 s"],
])("%s seconds are %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});
