/** How marks of differences look: signs, numbers and colours. */

import { readSchemeColors } from "../../../chart";
import { count, listOf } from "../../../i18n/format";
import { say } from "../../../i18n/words";
import type { ColorScheme } from "../../../lib/color-scheme";
import type { BoxMark } from "../marks";
import { type DiffStatus, SIGNS, STATUSES } from "./diff-groups";
import type { DiffMark } from "./diff-marks";

export type DiffColors = Readonly<Record<DiffStatus, string>>;

/** Those of the list below the picture. */
export function readDiffColors(scheme: ColorScheme): DiffColors {
  return readSchemeColors(scheme, {
    added: "--info",
    removed: "--err",
    renamed: "--text-2",
    changed: "--warn",
  });
}

/** "+" on what was added, "+58 ~1" on that of which a part was. */
export function boxMark({ status, counts }: DiffMark, colors: DiffColors): BoxMark {
  if (status) return { color: colors[status], parts: [{ text: SIGNS[status], color: colors[status] }] };
  const parts = STATUSES.filter((each) => counts[each] > 0).map((each) => ({
    text: SIGNS[each] + count(counts[each]),
    color: colors[each],
  }));
  return { color: null, parts };
}

/** A mark in words, for screen readers. */
export function markText(mark: DiffMark | null): string {
  if (!mark) return "";
  const known = STATUSES.filter((each) => mark.counts[each] > 0);
  return listOf(known.map((each) => say(`graphs.diff.${each}`, { count: mark.counts[each] })));
}
