/** Names of hosts and shares of time, as all parts of the page show them. */

export function percent(part: number, whole: number): string {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "–";
}

export function hostLabel({ host, rank }: { host: string; rank: number | null }): string {
  return [host, rank === null ? "" : `rank ${rank}`].filter((part) => part !== "").join(" ") || "–";
}

export function hostKey({ host, rank }: { host: string; rank: number | null }): string {
  return `${rank} ${host}`;
}
