import { expect, test } from "vitest";
import { BlockError, decodeCharts } from "./blocks";

interface Parts {
  run?: number;
  flags?: number;
  held?: number;
  inRange?: number;
  first: bigint;
  firstAux?: number;
  y: number[];
  ys?: number[];
  lo?: number[];
  hi?: number[];
  members?: number[];
  nonfinite?: number[];
  restarts?: bigint[];
  x: bigint[];
  sx?: bigint[];
  aux?: bigint[];
}

/** Signed whole numbers as zigzag varints. */
function varints(values: readonly bigint[]): number[] {
  return values.flatMap((value) => {
    const bytes: number[] = [];
    let rest = value < 0n ? -2n * value - 1n : 2n * value;
    for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    return [...bytes, Number(rest)];
  });
}

function padded(bytes: number[]): number[] {
  return [...bytes, ...new Array((8 - (bytes.length % 8)) % 8).fill(0)];
}

const bytesOf = (array: ArrayBufferView) => [...new Uint8Array(array.buffer)];

function block(parts: Parts): number[] {
  const { flags = 1, y, ys = [], restarts = [] } = parts;
  const floats = (values: number[]) =>
    bytesOf(flags & 2 ? Float64Array.from(values) : Float32Array.from(values));
  const xs = (values: bigint[]) => (flags & 32 ? bytesOf(BigInt64Array.from(values)) : varints(values));
  const [x, sx, aux] = [xs(parts.x), xs(parts.sx ?? []), varints(parts.aux ?? [])];
  const header = new DataView(new ArrayBuffer(64));
  header.setUint32(0, parts.run ?? 0, true);
  header.setUint32(4, flags, true);
  header.setUint32(8, y.length, true);
  header.setUint32(12, ys.length, true);
  header.setBigUint64(16, BigInt(parts.held ?? y.length), true);
  header.setBigUint64(24, BigInt(parts.inRange ?? y.length), true);
  header.setBigInt64(32, parts.first, true);
  header.setFloat64(40, parts.firstAux ?? 0, true);
  [x.length, sx.length, aux.length, restarts.length].forEach((size, i) => {
    header.setUint32(48 + 4 * i, size, true);
  });
  return padded([
    ...bytesOf(header),
    ...padded(floats(y)),
    ...padded(floats(ys)),
    ...padded(floats(parts.lo ?? [])),
    ...padded(floats(parts.hi ?? [])),
    ...padded(bytesOf(Uint32Array.from(parts.members ?? []))),
    ...padded(bytesOf(Uint32Array.from(parts.nonfinite ?? []))),
    ...bytesOf(BigInt64Array.from(restarts)),
    ...x,
    ...sx,
    ...aux,
  ]);
}

function body(charts: { index: number; blocks: number[][] }[], generation = 7n): ArrayBuffer {
  const header = new DataView(new ArrayBuffer(16));
  header.setUint32(0, 0x3143424c, true);
  header.setUint32(4, charts.length, true);
  header.setBigUint64(8, generation, true);
  const bytes = charts.flatMap(({ index, blocks }) => {
    const head = new DataView(new ArrayBuffer(16));
    head.setUint32(0, index, true);
    head.setUint32(4, blocks.length, true);
    head.setBigUint64(8, BigInt(blocks.flat().length), true);
    return [...bytesOf(head), ...blocks.flat()];
  });
  return Uint8Array.from([...bytesOf(header), ...bytes]).buffer;
}

const decodeOne = (parts: Parts) =>
  decodeCharts(body([{ index: 0, blocks: [block(parts)] }])).charts[0]!.series[0]!;

test("the header is spelled L B C 1", () => {
  expect(String.fromCharCode(...new Uint8Array(body([])).subarray(0, 4))).toBe("LBC1");
});

test("a raw series of whole steps, with wall times beside it", () => {
  const series = decodeOne({
    run: 3,
    flags: 1 | 4 | 64,
    held: 900,
    inRange: 3,
    first: 100n,
    firstAux: 1.7e9,
    y: [1.5, -2, 0.25],
    x: [10n, 10n],
    aux: [1500n, -500n],
    restarts: [110n],
  });
  expect(series).toEqual({
    run: 3,
    x: Float64Array.of(100, 110, 120),
    y: Float32Array.of(1.5, -2, 0.25),
    aux: Float64Array.of(1.7e9, 1.7e9 + 1.5, 1.7e9 + 1),
    sx: null,
    sy: null,
    lo: null,
    hi: null,
    members: null,
    nonfinite: null,
    restarts: Float64Array.of(110),
    raw: true,
    repeats: true,
    held: 900,
    inRange: 3,
  });
});

test("differences may be negative and beyond 32 bits", () => {
  const x = [2n ** 31n + 5n, -(2n ** 33n), 2n ** 52n, -1n, 63n, -64n, 64n];
  const expected = [-7n];
  for (const delta of x) expected.push(expected.at(-1)! + delta);
  expect([...decodeOne({ first: -7n, y: new Array(8).fill(0), x }).x]).toEqual(expected.map(Number));
});

test("steps beyond 2^53 round each for itself, not one upon another", () => {
  const first = 2n ** 60n;
  const { x } = decodeOne({ first, y: new Array(1001).fill(0), x: new Array(1000).fill(1n) });
  expect(x.at(-1)).toBe(Number(first + 1000n));
});

test("a difference that wraps around 64 bits comes out right", () => {
  const { x } = decodeOne({ first: -(2n ** 63n), y: [0, 0], x: [-(2n ** 60n)] });
  expect(x[1]).toBe(2 ** 63 - 2 ** 60);
});

test("values that need it come in double precision", () => {
  const { y } = decodeOne({ flags: 1 | 2, first: 0n, y: [0.1, 1e300, Number.NaN], x: [1n, 1n] });
  expect(y).toEqual(Float64Array.of(0.1, 1e300, Number.NaN));
});

test("on time axes x comes in microseconds and is seconds, and the steps stand beside it", () => {
  const series = decodeOne({
    flags: 1 | 4 | 8,
    first: 1_700_000_000_250_000n,
    firstAux: 40,
    y: [1, 2],
    x: [500_000n],
    aux: [-10n],
    restarts: [1_700_000_000_750_000n],
  });
  expect([...series.x, ...series.aux!, ...series.restarts]).toEqual([
    1_700_000_000.25, 1_700_000_000.75, 40, 30, 1_700_000_000.75,
  ]);
});

test("smoothed points of a raw series stand at its own x", () => {
  const series = decodeOne({ first: 0n, y: [1, 2, 3], ys: [1, 1.5, 2.25], x: [1n, 1n] });
  expect([series.sx, series.sy]).toEqual([null, Float32Array.of(1, 1.5, 2.25)]);
});

test("smoothed points of a thinned series have x of their own, counted from the first", () => {
  const series = decodeOne({
    flags: 0,
    first: 5n,
    y: [1, 2, 3],
    ys: [1, 2],
    x: [10n, 10n],
    sx: [2n, 300n],
  });
  expect([series.raw, series.sx, series.sy]).toEqual([false, Float64Array.of(7, 307), Float32Array.of(1, 2)]);
});

/** The bits of doubles, as x of another tag travels. */
const bits = (...values: number[]) => [...new BigInt64Array(Float64Array.from(values).buffer)];

test("x of another tag comes as doubles, also that of smoothed points and restarts; the steps stand beside it", () => {
  const series = decodeOne({
    flags: 4 | 32,
    first: bits(0.5)[0]!,
    firstAux: 40,
    y: [1, 2, 3],
    ys: [1, 2],
    x: bits(0.5, -0.125, 1e300),
    sx: bits(0.25, 0.75),
    aux: [10n, -5n],
    restarts: bits(0.1),
  });
  expect([series.x, series.sx, series.aux, series.restarts]).toEqual([
    Float64Array.of(0.5, -0.125, 1e300),
    Float64Array.of(0.25, 0.75),
    Float64Array.of(40, 50, 45),
    Float64Array.of(0.1),
  ]);
});

test("a group comes with its band and how many runs each point speaks for", () => {
  const group = {
    first: 0n,
    y: [1, 2, 3],
    x: [1n, 1n],
    lo: [0.5, 1, 1.5],
    hi: [2, 3, 4],
    members: [3, 2, 1],
    nonfinite: [0, 1, 2],
  };
  const { x, lo, hi, members, restarts } = decodeOne({ ...group, flags: 1 | 16, restarts: [1n] });
  expect([x, lo, hi, members, restarts]).toEqual([
    Float64Array.of(0, 1, 2),
    Float32Array.of(0.5, 1, 1.5),
    Float32Array.of(2, 3, 4),
    Uint32Array.of(3, 2, 1),
    Float64Array.of(1),
  ]);
  expect(decodeOne({ ...group, flags: 1 | 2 | 16 }).hi).toEqual(Float64Array.of(2, 3, 4));
});

test("charts keep their places in the request, also those without series", () => {
  const series = block({ first: 0n, y: [1], x: [] });
  const decoded = decodeCharts(
    body(
      [
        { index: 4, blocks: [series, series] },
        { index: 2, blocks: [] },
      ],
      2n ** 40n,
    ),
  );
  expect(decoded.generation).toBe(2 ** 40);
  expect(decoded.charts.map((chart) => [chart.index, chart.series.length, chart.sizeBytes])).toEqual([
    [4, 2, 24],
    [2, 0, 0],
  ]);
});

test("an empty series is empty", () => {
  const { x, y, sy } = decodeOne({ first: 0n, y: [], x: [] });
  expect([x.length, y.length, sy]).toEqual([0, 0, null]);
});

test("columns are copies: the body can be freed", () => {
  const bytes = body([{ index: 0, blocks: [block({ first: 0n, y: [1, 2], x: [1n] })] }]);
  expect(decodeCharts(bytes).charts[0]!.series[0]!.y.buffer).not.toBe(bytes);
});

test("a body cut short at any byte is refused, not misread", () => {
  const columns = { lo: [1, 2, 3], hi: [1, 2, 3], members: [1, 1, 1] };
  const over = block({ flags: 16 | 32, first: 0n, y: [1, 2, 3], x: bits(1, 2, 3), ...columns });
  const whole = body([
    { index: 1, blocks: [over] },
    {
      index: 0,
      blocks: [block({ flags: 1 | 4, first: 0n, y: [1, 2, 3], ys: [1, 2, 3], x: [1n, 300n], aux: [5n, 6n] })],
    },
  ]);
  for (let size = 0; size < whole.byteLength; size++) {
    expect(() => decodeCharts(whole.slice(0, size)), `cut at ${size}`).toThrow(BlockError);
  }
});

test("something else is refused", () => {
  expect(() => decodeCharts(new TextEncoder().encode('{"error": "no such thing"}').buffer)).toThrow(
    BlockError,
  );
});
