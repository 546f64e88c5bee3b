import { describe, expect, it } from "vitest";
import { momentAt, stepsOf, unitOf } from "./memory-points";

describe("units of memory", () => {
  it("are those of the largest size", () => {
    expect([0, 999, 1000, 129_017_344, 8e10, 5e18].map((size) => unitOf(size).name)).toEqual([
      ...["B", "B", "kB", "MB", "GB", "TB"],
    ]);
  });
});

describe("a curve of memory", () => {
  it("holds its value until the next moment", () => {
    const { x, y } = stepsOf([0, 1e6, 3e6], [1000, 3000, 2000], 1000);

    expect([...x]).toEqual([0, 1, 1, 3, 3]);
    expect([...y]).toEqual([1, 1, 3, 3, 2]);
  });

  it("may have no moment", () => {
    expect(stepsOf([], [], 1).x.length).toBe(0);
  });

  it("is told at the last moment before a time", () => {
    const curve = { time_us: [10, 20, 20, 30], allocated_bytes: [], reserved_bytes: [] };

    expect([5, 10, 19, 20, 31].map((time) => momentAt(curve, time))).toEqual([null, 0, 0, 2, 3]);
  });
});
