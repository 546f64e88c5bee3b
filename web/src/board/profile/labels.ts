/** Names of hosts and shares of time, as all parts of the page show them. */

import { bytes } from "../../i18n/format";
import { formatValue } from "../../lib/number";

/** The value of a counter; those of memory are bytes. */
export function counterValue(name: string, value: number): string {
  return /alloc|reserved|bytes/i.test(name) ? bytes(value) : formatValue(value, 4);
}

export function percent(part: number, whole: number): string {
  return whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : "–";
}

export function hostLabel({ host, rank }: { host: string; rank: number | null }): string {
  return [host, rank === null ? "" : `rank ${rank}`].filter((part) => part !== "").join(" ") || "–";
}

export function hostKey({ host, rank }: { host: string; rank: number | null }): string {
  return `${rank} ${host}`;
}
