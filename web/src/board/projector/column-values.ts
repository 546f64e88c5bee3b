/**
 * Decodes a metadata column: a kind, the number of points, then numbers; for categories the number of labels, 16-bit
 * codes, and the labels as JSON. Pure.
 */

import type { ColumnValues } from "./coloring";

const HEADER_BYTES = 16;
const CATEGORY = 0;

export class ColumnError extends Error {
  override name = "ColumnError";
}

export function decodeColumn(body: ArrayBuffer): ColumnValues {
  if (body.byteLength < HEADER_BYTES) throw new ColumnError("the column has no header");
  const [kind = 0, count = 0, , labelBytes = 0] = new Uint32Array(body, 0, 4);
  if (kind !== CATEGORY) {
    need(body, HEADER_BYTES + 4 * count);
    return { kind: "number", numbers: new Float32Array(body, HEADER_BYTES, count) };
  }
  const labelsAt = HEADER_BYTES + 4 * Math.ceil(count / 2);
  need(body, labelsAt + labelBytes);
  const text = new TextDecoder().decode(new Uint8Array(body, labelsAt, labelBytes));
  return {
    kind: "category",
    codes: new Uint16Array(body, HEADER_BYTES, count),
    labels: JSON.parse(text) as string[],
  };
}

function need(body: ArrayBuffer, size: number): void {
  if (body.byteLength !== size)
    throw new ColumnError(`a column of ${body.byteLength} bytes, where ${size} were told`);
}
