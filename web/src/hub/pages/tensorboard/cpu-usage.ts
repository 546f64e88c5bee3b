import type { TopResponse } from "../../../api/hub-schema.gen";

/**
 * Percentages of one processor between consecutive samples. A new process starts counting from zero, which is
 * skipped. Pure.
 */
export function cpuPercentages(lookups: readonly Pick<TopResponse, "at" | "cpu_secs">[]): number[] {
  const shares: number[] = [];
  for (let at = 1; at < lookups.length; at++) {
    const before = lookups[at - 1]!;
    const now = lookups[at]!;
    if (before.cpu_secs === null || now.cpu_secs === null) continue;
    if (now.at <= before.at || now.cpu_secs < before.cpu_secs) continue;
    shares.push((100 * (now.cpu_secs - before.cpu_secs)) / (now.at - before.at));
  }
  return shares;
}
