/** Maps values to pixels and back: linear, logarithmic, symmetric logarithmic, and time (linear with other ticks). */

export type ScaleKind = "linear" | "log" | "symlog" | "time";

export interface Scale {
  readonly kind: ScaleKind;
  readonly domain: readonly [number, number];
  readonly range: readonly [number, number];
  /** The pixel of a value, also outside the domain; a log scale returns NaN for values that are not positive. */
  map(value: number): number;
  /** Replaces the values at from, from + step … before `to` by their pixels: `map` without a call for each. */
  mapAll(values: Float64Array, from: number, to: number, step: number): void;
  /** The value of a pixel: the inverse of `map`. */
  invert(pixel: number): number;
}

type Pair = readonly [number, number];

/** A scale from `domain` (min < max; both positive for "log") to `range` pixels, in either direction. */
export function makeScale(kind: ScaleKind, domain: Pair, range: Pair): Scale {
  if (kind === "log") return warped(kind, domain, range, Math.log10, (power) => 10 ** power);
  if (kind === "symlog") return symlog(domain, range);
  return linear(kind, domain, range);
}

function linear(kind: ScaleKind, domain: Pair, range: Pair): Scale {
  const [d0, d1] = domain;
  const [r0, r1] = range;
  const perValue = (r1 - r0) / (d1 - d0);
  return {
    kind,
    domain,
    range,
    map: (value) => r0 + (value - d0) * perValue,
    mapAll(values, from, to, step) {
      for (let i = from; i < to; i += step) values[i] = r0 + (values[i]! - d0) * perValue;
    },
    invert: (pixel) => d0 + (pixel - r0) / perValue,
  };
}

function warped(
  kind: ScaleKind,
  domain: Pair,
  range: Pair,
  warp: (value: number) => number,
  unwarp: (value: number) => number,
): Scale {
  const inner = linear(kind, [warp(domain[0]), warp(domain[1])], range);
  return {
    kind,
    domain,
    range,
    map: (value) => inner.map(warp(value)),
    mapAll(values, from, to, step) {
      for (let i = from; i < to; i += step) values[i] = warp(values[i]!);
      inner.mapAll(values, from, to, step);
    },
    invert: (pixel) => unwarp(inner.invert(pixel)),
  };
}

/** Linear around zero, logarithmic far from it; the transition is at a thousandth of the largest value. */
function symlog(domain: Pair, range: Pair): Scale {
  const bend = symlogBend(domain);
  return warped(
    "symlog",
    domain,
    range,
    (value) => Math.sign(value) * Math.log1p(Math.abs(value) / bend),
    (value) => Math.sign(value) * Math.expm1(Math.abs(value)) * bend,
  );
}

/** Where a symlog scale turns from linear to logarithmic. */
export function symlogBend(domain: Pair): number {
  return Math.max(Math.abs(domain[0]), Math.abs(domain[1])) / 1000 || 1;
}
