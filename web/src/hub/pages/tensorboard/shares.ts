import type { TopAnswer } from "../../../api/hub/schema.gen";

/** Percent of one processor between each two looks. A new process counts from nothing, which is no share. Pure. */
export function cpuShares(looks: readonly Pick<TopAnswer, "at" | "cpu_secs">[]): number[] {
  const shares: number[] = [];
  for (let at = 1; at < looks.length; at++) {
    const before = looks[at - 1]!;
    const now = looks[at]!;
    if (before.cpu_secs === null || now.cpu_secs === null) continue;
    if (now.at <= before.at || now.cpu_secs < before.cpu_secs) continue;
    shares.push((100 * (now.cpu_secs - before.cpu_secs)) / (now.at - before.at));
  }
  return shares;
}
