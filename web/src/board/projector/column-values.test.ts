import { expect, test } from "vitest";
import { ColumnError, decodeColumn } from "./column-values";

function category(codes: readonly number[], labels: readonly string[]): ArrayBuffer {
  const words = new TextEncoder().encode(JSON.stringify(labels));
  const labelsAt = 16 + 4 * Math.ceil(codes.length / 2);
  const body = new ArrayBuffer(labelsAt + words.length);
  new Uint32Array(body, 0, 4).set([0, codes.length, labels.length, words.length]);
  new Uint16Array(body, 16, codes.length).set(codes);
  new Uint8Array(body, labelsAt).set(words);
  return body;
}

test("categories are codes and labels, after an odd number of codes too", () => {
  expect(decodeColumn(category([0, 1, 0], ["кот", "dog"]))).toEqual({
    kind: "category",
    codes: Uint16Array.of(0, 1, 0),
    labels: ["кот", "dog"],
  });
});

test("numbers are one for each point", () => {
  const body = new ArrayBuffer(24);
  new Uint32Array(body, 0, 4).set([1, 2, 0, 0]);
  new Float32Array(body, 16).set([0.5, Number.NaN]);
  expect(decodeColumn(body)).toEqual({ kind: "number", numbers: Float32Array.of(0.5, Number.NaN) });
});

test.each([
  ["nothing", new ArrayBuffer(0)],
  ["cut short", category([0, 1], ["a", "b"]).slice(0, 22)],
])("what is %s is refused", (_, body) => {
  expect(() => decodeColumn(body)).toThrow(ColumnError);
});
