import { expect, test } from "vitest";
import { formatMicroseconds } from "./microseconds";

test.each([
  [0, "0 s"],
  [0.25, "250 ns"],
  [1, "1.00 µs"],
  [12.54, "12.5 µs"],
  [999.9, "1.00 ms"],
  [3842.48, "3.84 ms"],
  [29_088.951, "29.1 ms"],
  [123_456, "123 ms"],
  [1_200_000, "1.20 s"],
  [3_600_000_000, "3600 s"],
  [-12.5, "−12.5 µs"],
])("%d is %s", (time, text) => {
  expect(formatMicroseconds(time)).toBe(text);
});
