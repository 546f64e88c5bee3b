import { expect, test } from "vitest";
import { decodeHistograms } from "./histograms";

/** A map of one run with two columns of two cells, by the table of docs/http.md. */
function body(depth: 8 | 16, merged: boolean): ArrayBuffer {
  const parts: ArrayBuffer[] = [];
  const put = (array: ArrayBufferView) => {
    const padded = new Uint8Array(Math.ceil(array.byteLength / 8) * 8);
    padded.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
    parts.push(padded.buffer);
  };
  put(new TextEncoder().encode("LBH1\u0001\u0000\u0000\u0000"));
  put(BigUint64Array.of(7n));
  put(Float64Array.of(-1, 1, 0.5));
  put(Uint32Array.of(2, depth, 9, 0));
  put(Uint32Array.of(4, 2, merged ? 1 : 0, 3));
  put(BigUint64Array.of(20n, 10n));
  put(Float64Array.of(-1, 1, 100));
  put(Float64Array.of(0, 5));
  put(Float64Array.of(100, 105));
  if (merged) {
    put(Float64Array.of(4, 9));
    put(Uint32Array.of(5, 5));
  }
  put(Float32Array.from({ length: 18 }, (_, at) => at));
  put(Float32Array.of(10, 20));
  put(Uint8Array.of(0, 255));
  put(Uint8Array.of(51, 0));
  put(depth === 8 ? Uint8Array.of(0, 255, 255, 0) : Uint16Array.of(0, 65535, 65535, 0));
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(new Uint8Array(part), at);
    at += part.byteLength;
  }
  return whole.buffer;
}

test.each([
  [8, false],
  [16, true],
] as const)("a map of %i bits is its columns", (depth, merged) => {
  const { low, high, top, rows, blocks } = decodeHistograms(body(depth, merged));
  expect([low, high, top, rows, blocks.length]).toEqual([-1, 1, 0.5, 2, 1]);
  const [block] = blocks;
  expect(block).toMatchObject({
    run: 4,
    unshown: 3,
    valueCount: 20,
    lookedAt: 10,
    low: -1,
    high: 1,
    firstWall: 100,
  });
  expect([...block!.steps, ...block!.walls]).toEqual([0, 5, 100, 105]);
  expect(block!.lastSteps && [...block!.lastSteps]).toEqual(merged ? [4, 9] : null);
  expect(block!.lines.map((line) => [...line])).toEqual(
    Array.from({ length: 9 }, (_, at) => [2 * at, 2 * at + 1]),
  );
  expect([...block!.cells]).toEqual([0, 0.5, 0.5, 0]);
  expect([block!.below[1], block!.above[0]?.toFixed(2)]).toEqual([1, "0.20"]);
});

test("something else is no map", () => {
  expect(() => decodeHistograms(new ArrayBuffer(80))).toThrow();
  expect(() => decodeHistograms(new ArrayBuffer(3))).toThrow();
});
