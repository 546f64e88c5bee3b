/** Histograms over steps, reduced to pixels: the request, and the binary response as columns. Format: docs/http.md. */

import { apiUrl, getJson, postForBytes } from "./client";
import type { HistogramResponse, MapRequest } from "./schema.gen";

export type { HistogramResponse, MapRequest };

/** The quantiles of every column, as shares of its mass; the ends are the minimum and the maximum. */
export const QUANTILES = [0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1] as const;

/** One run: arrays have one item per column. */
export interface HistogramBlock {
  run: number;
  /** Values that cannot be shown, all values of the series, and those that were read. */
  unshown: number;
  valueCount: number;
  lookedAt: number;
  low: number;
  high: number;
  firstWall: number;
  steps: Float64Array;
  walls: Float64Array;
  /** If columns combine several steps: the last step of each, and the number. */
  lastSteps: Float64Array | null;
  members: Uint32Array | null;
  /** Values by quantile; NaN if a histogram is empty. */
  lines: Float32Array[];
  totals: Float32Array;
  /** Share of the mass outside the range, from 0 to 1. */
  below: Float32Array;
  above: Float32Array;
  /** Share of the mass in each cell, from low to high, column by column. */
  cells: Float32Array;
}

export interface HistogramMap {
  low: number;
  high: number;
  /** The share of the mass that has the full colour. */
  top: number;
  rows: number;
  blocks: HistogramBlock[];
}

const MERGED = 1;
const HEAD_BYTES = 56;

export async function fetchHistograms(request: MapRequest, signal?: AbortSignal): Promise<HistogramMap> {
  return decodeHistograms(await postForBytes("histograms/map", request, signal));
}

export interface HistogramName {
  run: string;
  tag: string;
  step: number;
}

/** One histogram with every bucket: the one nearest to a step. */
export const fetchHistogram = ({ run, tag, step }: HistogramName, signal?: AbortSignal) =>
  getJson<HistogramResponse>(
    `histograms/one?${new URLSearchParams({ run, tag, step: String(step) })}`,
    signal,
  );

/** URL of every bucket of every step of a series. */
export function seriesUrl(run: string, tag: string, format: "csv" | "json"): string {
  return apiUrl(`histograms/series?${new URLSearchParams({ run, tag, format })}`);
}

export function decodeHistograms(body: ArrayBuffer): HistogramMap {
  const head = new DataView(body);
  if (body.byteLength < HEAD_BYTES || head.getUint32(0, true) !== 0x3148424c)
    throw new Error("not a map of histograms");
  const [blocks, rows, depth, lines] = [4, 40, 44, 48].map((at) => head.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  const [low, high, top] = [16, 24, 32].map((at) => head.getFloat64(at, true)) as [number, number, number];
  const reader = new Reader(body, HEAD_BYTES);
  const form = { rows, depth, lines, top };
  return { low, high, top, rows, blocks: Array.from({ length: blocks }, () => readBlock(reader, form)) };
}

interface Form {
  rows: number;
  depth: number;
  lines: number;
  top: number;
}

function readBlock(reader: Reader, { rows, depth, lines, top }: Form): HistogramBlock {
  const [run, columns, flags, unshown] = reader.u32(4) as unknown as [number, number, number, number];
  const [valueCount, lookedAt] = reader.u64(2) as [number, number];
  const [low, high, firstWall] = reader.f64(3) as unknown as [number, number, number];
  const steps = reader.f64(columns);
  const walls = reader.f64(columns);
  const merged = (flags & MERGED) !== 0;
  const lastSteps = merged ? reader.f64(columns) : null;
  const members = merged ? reader.u32(columns) : null;
  const all = reader.f32(lines * columns);
  const totals = reader.f32(columns);
  const [below, above] = [reader.u8(columns), reader.u8(columns)].map((side) =>
    Float32Array.from(side, (part) => part / 255),
  ) as [Float32Array, Float32Array];
  const full = 2 ** depth - 1;
  const codes = depth === 8 ? reader.u8(columns * rows) : reader.u16(columns * rows);
  return {
    run,
    unshown,
    valueCount,
    lookedAt,
    low,
    high,
    firstWall,
    steps,
    walls,
    lastSteps,
    members,
    lines: Array.from({ length: lines }, (_, at) => all.subarray(at * columns, (at + 1) * columns)),
    totals,
    below,
    above,
    cells: Float32Array.from(codes, (code) => top * (code / full) ** 2),
  };
}

/** Reads consecutive arrays, each padded to eight bytes. */
class Reader {
  #at: number;

  constructor(
    private readonly body: ArrayBuffer,
    at: number,
  ) {
    this.#at = at;
  }

  u8(count: number): Uint8Array {
    return new Uint8Array(this.body, this.#take(count), count);
  }

  u16(count: number): Uint16Array {
    return new Uint16Array(this.body, this.#take(2 * count), count);
  }

  u32(count: number): Uint32Array {
    return new Uint32Array(this.body, this.#take(4 * count), count);
  }

  f32(count: number): Float32Array {
    return new Float32Array(this.body, this.#take(4 * count), count);
  }

  f64(count: number): Float64Array {
    return new Float64Array(this.body, this.#take(8 * count), count);
  }

  u64(count: number): number[] {
    return [...new BigUint64Array(this.body, this.#take(8 * count), count)].map(Number);
  }

  #take(bytes: number): number {
    const at = this.#at;
    this.#at += Math.ceil(bytes / 8) * 8;
    return at;
  }
}
