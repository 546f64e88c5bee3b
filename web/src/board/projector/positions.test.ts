import { describe, expect, test } from "vitest";
import { decodePositions, interpolate, PositionsError } from "./positions";

function body(dims: number, ranges: readonly number[], places: readonly number[]): ArrayBuffer {
  const buffer = new ArrayBuffer(8 + 4 * ranges.length + 2 * places.length);
  const view = new DataView(buffer);
  view.setUint32(0, places.length / dims, true);
  view.setUint32(4, dims, true);
  ranges.forEach((value, at) => {
    view.setFloat32(8 + 4 * at, value, true);
  });
  new Uint16Array(buffer, 8 + 4 * ranges.length).set(places);
  return buffer;
}

describe("decodePositions", () => {
  test("puts the ends of the range at 0 and 65535", () => {
    const { count, dims, xyz } = decodePositions(body(2, [-1, 1, 0, 10], [0, 65_535, 65_535, 0]));
    expect({ count, dims, xyz: [...xyz] }).toEqual({ count: 2, dims: 2, xyz: [-1, 10, 0, 1, 0, 0] });
  });

  test("reads three dimensions with the range of each", () => {
    const positions = decodePositions(body(3, [0, 1, 0, 2, 0, 4], [65_535, 65_535, 65_535]));
    expect([...positions.xyz, positions.most, positions.radius]).toEqual([
      1,
      2,
      4,
      [1, 2, 4],
      Math.hypot(1, 2, 4) / 2,
    ]);
  });

  test("a range of one value is that value", () => {
    expect([...decodePositions(body(2, [3, 3, 5, 5], [0, 9])).xyz]).toEqual([3, 5, 0]);
  });

  test.each([
    ["nothing", new ArrayBuffer(3)],
    ["cut short", body(2, [0, 1, 0, 1], [1, 2]).slice(0, 26)],
    ["seven dimensions", body(7, [], [1, 2, 3, 4, 5, 6, 7])],
  ])("refuses what is %s", (_, made) => {
    expect(() => decodePositions(made)).toThrow(PositionsError);
  });
});

test("between two layouts lies the mean of the two half way", () => {
  const out = new Float32Array(3);
  interpolate(new Float32Array([0, 0, 4]), new Float32Array([2, 10, 4]), 0.5, out);
  expect([...out]).toEqual([1, 5, 4]);
});
