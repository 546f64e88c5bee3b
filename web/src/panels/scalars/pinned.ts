/**
 * The very points at the pinned step, of lines whose charts have only some of theirs: asked for by the feed, so that
 * all cards in sight share one request. No drawing.
 */

import type { ChartSeries } from "../../chart";
import { pointAtX, type Row } from "../../chart";
import type { Feed } from "../../state/feed";
import { type Line, type Part, Sources } from "./sources";

/** A step of the parts of a card, and the weight their lines are smoothed with where it is the card's own. */
export interface Pinned {
  step: number;
  parts: readonly Part[];
  smoothing: number | undefined;
}

export class PinnedPoints {
  readonly #sources: Sources;
  #asked: Pinned | null = null;

  constructor(feed: Feed, onNews: () => void) {
    this.#sources = new Sources(feed, onNews);
  }

  /** The step and the one point before and after it, of each line; none until all of them are here. */
  get lines(): readonly Line[] {
    return this.#asked !== null && this.#sources.complete ? this.#sources.lines : [];
  }

  /** Null asks for nothing more. */
  ask(pinned: Pinned | null): void {
    const before = this.#asked;
    if (samePinned(before, pinned)) return;
    this.#asked = pinned;
    if (pinned === null) {
      this.#sources.close();
      return;
    }
    const { step, parts, smoothing } = pinned;
    this.#sources.setParts(parts);
    // One that moves is being dragged: it is asked about when it rests.
    const moving = before !== null && before.step !== step;
    this.#sources.want({ zoom: [step, step], px: 1, smoothing }, moving);
  }
}

function samePinned(a: Pinned | null, b: Pinned | null): boolean {
  return a?.step === b?.step && a?.parts === b?.parts && a?.smoothing === b?.smoothing;
}

/** Rows with the very points of `series` at `x` in place of those that a chart drew near it. */
export function withVeryPoints(
  rows: readonly Row[],
  series: readonly ChartSeries[],
  x: number,
  smoothing: number,
): Row[] {
  const known = new Map(series.map((each) => [`${each.run} ${each.tag ?? ""}`, each]));
  return rows.map((row) => {
    const very = known.get(`${row.run} ${row.tag ?? ""}`);
    return { ...row, ...(very && pointAtX(very, x, smoothing)) };
  });
}
