/** The current time. `?test=1` stops the clock, so that two screenshots of the same logs are equal. */

/** 2026-01-01 00:00 UTC, in seconds. */
const TEST_TIME = 1_767_225_600;

export const TESTING =
  typeof location !== "undefined" && new URLSearchParams(location.search).get("test") === "1";

/** Seconds since the epoch. */
export function now(): number {
  return TESTING ? TEST_TIME : Date.now() / 1000;
}
