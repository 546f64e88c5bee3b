/** Blocks for tests: steps, and the contents of their cells. */

import type { HistogramBlock } from "./histograms";

export function blockOf(steps: readonly number[], given: Partial<HistogramBlock> = {}): HistogramBlock {
  const count = steps.length;
  return {
    run: 0,
    unshown: 0,
    valueCount: count,
    lookedAt: count,
    low: 0,
    high: 1,
    firstWall: 100,
    steps: Float64Array.from(steps),
    walls: Float64Array.from(steps, (step) => 100 + step),
    lastSteps: null,
    members: null,
    lines: Array.from({ length: 9 }, (_, at) => new Float32Array(count).fill(at / 8)),
    totals: new Float32Array(count).fill(10),
    below: new Float32Array(count),
    above: new Float32Array(count),
    cells: new Float32Array(2 * count).fill(0.5),
    ...given,
  };
}
