/** The points of a card: one subscription per tag, combined as lines. No drawing. */

import type { Delivery, Feed, Points, SeriesQuery, Subscription } from "../data/feed";
import type { LineStyle } from "../runs/line-styles";

/** A tag of a card and its line styles. */
export interface Part {
  tag: string;
  lineStyles: readonly LineStyle[];
}

/** One line: a run or a group, under one tag. */
export interface Line extends Part {
  lineStyle: LineStyle;
  points: Points;
}

export interface DataRequest {
  zoom: SeriesQuery["zoom"];
  px: number;
  /** The card's own smoothing weight. */
  smoothing?: number | undefined;
  /** x is logarithmic. */
  logX?: boolean | undefined;
}

interface Source {
  part: Part;
  delivery: Delivery;
  subscription: Subscription | null;
}

const NOTHING: Delivery = { series: new Map(), complete: false, error: null };

export class CardSubscriptions {
  readonly #feed: Feed;
  readonly #onNews: () => void;
  #sources: Source[] = [];
  #lines: readonly Line[] | null = null;

  constructor(feed: Feed, onNews: () => void) {
    this.#feed = feed;
    this.#onNews = onNews;
  }

  /** In the order of the tags and their line styles. */
  get lines(): readonly Line[] {
    this.#lines ??= this.#sources.flatMap(({ part, delivery }) =>
      part.lineStyles.flatMap((lineStyle) => {
        const points = delivery.series.get(lineStyle.id);
        return points ? [{ ...part, lineStyle, points }] : [];
      }),
    );
    return this.#lines;
  }

  get complete(): boolean {
    return this.#sources.every(({ delivery }) => delivery.complete);
  }

  get error(): Error | null {
    return this.#sources.find(({ delivery }) => delivery.error !== null)?.delivery.error ?? null;
  }

  setParts(parts: readonly Part[]): void {
    const before = new Map(this.#sources.map((source) => [source.part.tag, source]));
    this.#sources = parts.map((part) => {
      const known = before.get(part.tag);
      before.delete(part.tag);
      if (known) known.part = part;
      return known ?? { part, delivery: NOTHING, subscription: null };
    });
    for (const { subscription } of before.values()) subscription?.close();
    this.#lines = null;
  }

  /** `moving`: more changes are coming. */
  update(asked: DataRequest, moving = false): void {
    for (const source of this.#sources) {
      const want = queryOf(source.part, asked);
      if (source.subscription) source.subscription.update(want, moving);
      else source.subscription = this.#feed.watch(want, (delivery) => this.#delivered(source, delivery));
    }
  }

  retry(): void {
    for (const { subscription } of this.#sources) subscription?.retry();
  }

  close(): void {
    for (const { subscription } of this.#sources) subscription?.close();
    this.#sources = [];
  }

  #delivered(source: Source, delivery: Delivery): void {
    source.delivery = delivery;
    this.#lines = null;
    if (this.#sources.includes(source)) this.#onNews();
  }
}

function queryOf({ tag, lineStyles }: Part, { zoom, px, smoothing, logX }: DataRequest): SeriesQuery {
  const runs = lineStyles.filter((lineStyle) => lineStyle.members === null).map(({ id }) => id);
  const groups = lineStyles.flatMap(({ id, members }) => (members === null ? [] : [{ id, runs: members }]));
  const want = { tag, runs, zoom, px, smoothing, logX };
  return groups.length === 0 ? want : { ...want, groups };
}
