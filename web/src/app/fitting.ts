/** What of a row fits into its width, when what does not goes behind a button. Pure. */

/** Between two of the row, in px. */
const GAP_PX = 4;

/** Places of those that fit: from the front, and always `kept` (−1 for none). Widths in px; the button is always there. */
export function fitting(
  widths: readonly number[],
  kept: number,
  room: number,
  button: number,
): ReadonlySet<number> {
  const fit = new Set<number>();
  let left = room - button;
  if (kept >= 0) {
    fit.add(kept);
    left -= widths[kept]! + GAP_PX;
  }
  for (const [at, width] of widths.entries()) {
    if (at === kept) continue;
    left -= width + GAP_PX;
    if (left < 0) break;
    fit.add(at);
  }
  return fit;
}
