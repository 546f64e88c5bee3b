import { expect, test } from "vitest";
import { readMesh } from "./meshes";

function block(counts: readonly number[], rest: number): ArrayBuffer {
  const buffer = new ArrayBuffer(80 + rest);
  new Uint32Array(buffer, 0, 8).set(counts);
  new Float64Array(buffer, 32, 6).set([-1, -2, -3, 1, 2, 3]);
  return buffer;
}

test("a block with points, a face and colours", () => {
  const buffer = block([3, 1, 4, 2, 1, 1, 1 | 2], 36 + 12 + 9);
  new Float32Array(buffer, 80, 9).set([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  new Uint32Array(buffer, 116, 3).set([0, 1, 2]);
  new Uint8Array(buffer, 128, 9).fill(7);
  expect(readMesh(buffer)).toEqual({
    points: new Float32Array([0, 1, 2, 3, 4, 5, 6, 7, 8]),
    faces: new Uint32Array([0, 1, 2]),
    colors: new Uint8Array(9).fill(7),
    low: [-1, -2, -3],
    high: [1, 2, 3],
    held: 4,
    heldFaces: 2,
    broken: 1,
    brokenFaces: 1,
    thinned: true,
    faceless: false,
    miscolored: false,
  });
});

test("nothing at all", () => {
  const { points, faces, colors } = readMesh(block([0, 0, 0, 0, 0, 0, 0], 0));
  expect([points.length, faces.length, colors]).toEqual([0, 0, null]);
});

test("a block that is cut short", () => {
  expect(() => readMesh(block([3, 1, 3, 1, 0, 0, 0], 36))).toThrow(RangeError);
});
