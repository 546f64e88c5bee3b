import { expect, test } from "vitest";
import { cpuPercentages } from "./cpu-usage";

test("a second of processor in two seconds of time is half of it", () => {
  expect(
    cpuPercentages([
      { at: 10, cpu_secs: 3 },
      { at: 12, cpu_secs: 4 },
      { at: 14, cpu_secs: 4 },
    ]),
  ).toEqual([50, 0]);
});

test("a new process begins anew, and what is not known is left out", () => {
  expect(
    cpuPercentages([
      { at: 10, cpu_secs: 30 },
      { at: 12, cpu_secs: 1 },
      { at: 14, cpu_secs: null },
      { at: 16, cpu_secs: 2 },
    ]),
  ).toEqual([]);
});
