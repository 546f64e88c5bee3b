/** Computes which tabs fit into the bar; the others go behind a button. Pure. */

/** Gap between tabs, and before the button, in px. */
const GAP_PX = 4;

/**
 * Indices of the tabs that fit, from the front, always including `kept` (−1 for none). Widths in px. The button takes
 * room from them if it is always there, or if they do not all fit.
 */
export function fittingTabs(
  widths: readonly number[],
  kept: number,
  room: number,
  button: number,
  alwaysMore = true,
): ReadonlySet<number> {
  const whole = widths.reduce((sum, width) => sum + width + GAP_PX, -GAP_PX);
  if (!alwaysMore && whole <= room) return new Set(widths.keys());
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
