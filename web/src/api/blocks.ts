/**
 * Decodes the binary body of POST /api/v1/scalars/chart into columns. Little-endian; x and aux are zigzag varints of
 * differences. Copies what it keeps, so that the body can be freed.
 */

/** The points of one run or group, without its style (colour, label). */
export interface SeriesBlock {
  run: number;
  /** Steps, seconds on the relative and wall axes, or values of another tag. */
  x: Float64Array;
  y: Float64Array | Float32Array;
  /** Wall times in epoch seconds (step axis) or steps; null if not requested. */
  aux: Float64Array | null;
  /** x of the smoothed points; null if they are at `x`. */
  sx: Float64Array | null;
  sy: Float64Array | Float32Array | null;
  /**
   * For a group: the edges of its band, the number of runs at each point, and how many have a non-finite value there;
   * null for a run.
   */
  lo: Float64Array | Float32Array | null;
  hi: Float64Array | Float32Array | null;
  members: Uint32Array | null;
  nonfinite: Uint32Array | null;
  restarts: Float64Array;
  raw: boolean;
  /** Some points share a step. */
  repeats: boolean;
  held: number;
  inRange: number;
}

export interface ChartBlocks {
  /** Position of the chart in the request. */
  index: number;
  series: SeriesBlock[];
  /** Size of the columns in memory. */
  sizeBytes: number;
}

export interface ChartBody {
  generation: number;
  charts: ChartBlocks[];
}

/** The body is truncated, or of another version. */
export class BlockError extends Error {
  override name = "BlockError";
}

const MAGIC = 0x3143424c; // "LBC1"
const BODY_HEADER = 16;
const CHART_HEADER = 16;
const BLOCK_HEADER = 64;
const RAW = 1;
const DOUBLE = 2;
const AUX = 4;
const MICROS = 8;
const GROUP = 16;
/** x is sent as doubles. */
const REAL = 32;
const REPEATS = 64;

export function decodeCharts(body: ArrayBuffer): ChartBody {
  const view = new DataView(body);
  if (body.byteLength < BODY_HEADER || view.getUint32(0, true) !== MAGIC) {
    throw new BlockError("this is no chart data");
  }
  const count = view.getUint32(4, true);
  const charts: ChartBlocks[] = [];
  let at = BODY_HEADER;
  for (let i = 0; i < count; i++) {
    need(body, at, CHART_HEADER);
    const size = Number(view.getBigUint64(at + 8, true));
    const start = at + CHART_HEADER;
    need(body, start, size);
    const series = decodeBlocks(body, start, start + size, view.getUint32(at + 4, true));
    charts.push({ index: view.getUint32(at, true), series, sizeBytes: series.reduce(addSize, 0) });
    at = start + size;
  }
  return { generation: Number(view.getBigUint64(8, true)), charts };
}

function decodeBlocks(body: ArrayBuffer, start: number, end: number, count: number): SeriesBlock[] {
  const series: SeriesBlock[] = [];
  let at = start;
  for (let i = 0; i < count; i++) {
    const [block, next] = decodeBlock(body, at, end);
    series.push(block);
    at = next;
  }
  return series;
}

/** Decodes the block at `at` and returns the start of the next one. */
function decodeBlock(body: ArrayBuffer, at: number, end: number): [SeriesBlock, number] {
  if (at + BLOCK_HEADER > end) throw new BlockError(`a series is cut short at byte ${at}`);
  const view = new DataView(body, at, BLOCK_HEADER);
  const flags = view.getUint32(4, true);
  const n = view.getUint32(8, true);
  const m = view.getUint32(12, true);
  const width = flags & DOUBLE ? 8 : 4;
  const restarts = view.getUint32(60, true);
  const [xBytes, sxBytes, auxBytes] = [48, 52, 56].map((field) => view.getUint32(field, true));
  const yAt = at + BLOCK_HEADER;
  const syAt = aligned(yAt + n * width);
  const loAt = aligned(syAt + m * width);
  const isGroup = (flags & GROUP) !== 0;
  const hiAt = isGroup ? aligned(loAt + n * width) : loAt;
  const membersAt = isGroup ? aligned(hiAt + n * width) : hiAt;
  const nonfiniteAt = isGroup ? aligned(membersAt + n * 4) : membersAt;
  const restartsAt = isGroup ? aligned(nonfiniteAt + n * 4) : nonfiniteAt;
  const xAt = restartsAt + restarts * 8;
  const sxAt = xAt + xBytes!;
  const auxAt = sxAt + sxBytes!;
  const next = aligned(auxAt + auxBytes!);
  if (next > end) throw new BlockError(`a series is cut short at byte ${at}`);
  const xs = (start: number, stop: number, count: number, given: boolean) =>
    decodeXs(body, flags, start, stop, view.getBigInt64(32, true), count, given);
  const block: SeriesBlock = {
    run: view.getUint32(0, true),
    x: xs(xAt, sxAt, n, true),
    y: decodeFloats(body, yAt, n, width),
    aux: flags & AUX ? decodeAux(body, auxAt, auxAt + auxBytes!, view.getFloat64(40, true), n, flags) : null,
    sx: m === 0 || (sxBytes === 0 && m === n) ? null : xs(sxAt, auxAt, m, false),
    sy: m === 0 ? null : decodeFloats(body, syAt, m, width),
    lo: isGroup ? decodeFloats(body, loAt, n, width) : null,
    hi: isGroup ? decodeFloats(body, hiAt, n, width) : null,
    members: isGroup ? new Uint32Array(body, membersAt, n).slice() : null,
    nonfinite: isGroup ? new Uint32Array(body, nonfiniteAt, n).slice() : null,
    restarts: decodeRestarts(body, flags, restartsAt, restarts),
    raw: (flags & RAW) !== 0,
    repeats: (flags & REPEATS) !== 0,
    held: Number(view.getBigUint64(16, true)),
    inRange: Number(view.getBigUint64(24, true)),
  };
  return [block, next];
}

/** Decodes x: doubles as they are, or differences of steps or microseconds. */
function decodeXs(
  body: ArrayBuffer,
  flags: number,
  at: number,
  end: number,
  first: bigint,
  n: number,
  given: boolean,
): Float64Array {
  if (flags & REAL) {
    if (end - at !== n * 8) throw new BlockError(`a column ends at byte ${at + n * 8}, not at ${end}`);
    return new Float64Array(body, at, n).slice();
  }
  return scaled(decodeDeltas(new Uint8Array(body), at, end, Number(first), n, given), unitOf(flags));
}

function decodeRestarts(body: ArrayBuffer, flags: number, at: number, n: number): Float64Array {
  if (flags & REAL) return new Float64Array(body, at, n).slice();
  return scaled(Float64Array.from(new BigInt64Array(body, at, n), Number), unitOf(flags));
}

/** The number of sent units in one displayed unit. */
function unitOf(flags: number): number {
  return flags & MICROS ? 1e6 : 1;
}

/** Wall times are milliseconds since the first, steps are sent as they are. */
function decodeAux(
  body: ArrayBuffer,
  at: number,
  end: number,
  first: number,
  n: number,
  flags: number,
): Float64Array {
  const bytes = new Uint8Array(body);
  if (flags & (MICROS | REAL)) return decodeDeltas(bytes, at, end, first, n, true);
  const aux = decodeDeltas(bytes, at, end, 0, n, true);
  for (let i = 0; i < aux.length; i++) aux[i] = first + aux[i]! / 1000;
  return aux;
}

function decodeFloats(body: ArrayBuffer, at: number, n: number, width: number): Float64Array | Float32Array {
  return width === 8 ? new Float64Array(body, at, n).slice() : new Float32Array(body, at, n).slice();
}

/** 2^63: where 64-bit differences wrap. */
const WRAP = 2 ** 63;

/**
 * Decodes zigzag varints of the differences between values. With `given` the first value is `first` itself and has no
 * varint; without, its varint is relative to `first`. The distance from `first` is summed, not the value, so that it
 * stays exact for values beyond 2^53.
 */
function decodeDeltas(
  bytes: Uint8Array,
  start: number,
  end: number,
  first: number,
  n: number,
  given: boolean,
): Float64Array {
  const column = new Float64Array(n);
  let at = start;
  let distance = 0;
  let i = 0;
  if (given && n > 0) column[i++] = first;
  for (; i < n; i++) {
    let byte = bytes[at++]!;
    const negative = byte & 1;
    let size = (byte & 0x7f) >> 1;
    for (let weight = 64; byte >= 0x80; weight *= 128) {
      byte = bytes[at++]!;
      size += (byte & 0x7f) * weight;
    }
    distance += negative ? -size - 1 : size;
    const value = first + distance;
    column[i] = value >= WRAP ? value - 2 * WRAP : value < -WRAP ? value + 2 * WRAP : value;
  }
  if (at !== end) throw new BlockError(`a column ends at byte ${at}, not at ${end}`);
  return column;
}

function scaled(column: Float64Array, unit: number): Float64Array {
  if (unit !== 1) for (let i = 0; i < column.length; i++) column[i] = column[i]! / unit;
  return column;
}

function aligned(at: number): number {
  return (at + 7) & ~7;
}

function need(body: ArrayBuffer, at: number, size: number): void {
  if (at + size > body.byteLength) throw new BlockError(`the chart data is cut short at byte ${at}`);
}

function addSize(
  sum: number,
  { x, y, aux, sx, sy, lo, hi, members, nonfinite, restarts }: SeriesBlock,
): number {
  const columns = [x, y, aux, sx, sy, lo, hi, members, nonfinite, restarts];
  return columns.reduce((bytes, column) => bytes + (column?.byteLength ?? 0), sum);
}
