/**
 * Fetches the exact points at the pinned step for downsampled lines, through the feed, so that all visible cards
 * share one request. No drawing.
 */

import type { ChartSeries } from "../../chart";
import { pointAtX, type Row } from "../../chart";
import type { Feed } from "../data/feed";
import { CardSubscriptions, type Line, type Part } from "./card-subscriptions";

/** A step, and the smoothing weight if the card has its own. */
export interface PinnedRequest {
  step: number;
  parts: readonly Part[];
  smoothing: number | undefined;
}

export class PinnedPoints {
  readonly #sources: CardSubscriptions;
  #asked: PinnedRequest | null = null;

  constructor(feed: Feed, onNews: () => void) {
    this.#sources = new CardSubscriptions(feed, onNews);
  }

  /** The points at the step and one on either side, of each line; empty until all have loaded. */
  get lines(): readonly Line[] {
    return this.#asked !== null && this.#sources.complete ? this.#sources.lines : [];
  }

  /** Null stops fetching. */
  ask(pinned: PinnedRequest | null): void {
    const before = this.#asked;
    if (samePinned(before, pinned)) return;
    this.#asked = pinned;
    if (pinned === null) {
      this.#sources.close();
      return;
    }
    const { step, parts, smoothing } = pinned;
    this.#sources.setParts(parts);
    // A pin that moves is being dragged: fetch when it rests.
    const moving = before !== null && before.step !== step;
    this.#sources.update({ zoom: [step, step], px: 1, smoothing }, moving);
  }
}

function samePinned(a: PinnedRequest | null, b: PinnedRequest | null): boolean {
  return a?.step === b?.step && a?.parts === b?.parts && a?.smoothing === b?.smoothing;
}

/** Rows with the exact points of `series` at `x` in place of those drawn near it. */
export function withExactPoints(
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
