/** The points of a card: one subscription for each of its tags, brought together as lines. No drawing. */

import type { Delivery, Feed, Points, Subscription, Want } from "../../state/feed";
import type { RunLook } from "../../state/looks";

/** One of the tags of a card and what is drawn of it. */
export interface Part {
  tag: string;
  looks: readonly RunLook[];
}

/** One line: a run, or a group, under one tag. */
export interface Line extends Part {
  look: RunLook;
  points: Points;
}

export interface Asked {
  zoom: Want["zoom"];
  px: number;
  /** Weight of this card alone. */
  smoothing?: number | undefined;
  /** x is in powers of ten. */
  logX?: boolean | undefined;
}

interface Source {
  part: Part;
  delivery: Delivery;
  subscription: Subscription | null;
}

const NOTHING: Delivery = { series: new Map(), complete: false, error: null };

export class Sources {
  readonly #feed: Feed;
  readonly #onNews: () => void;
  #sources: Source[] = [];
  #lines: readonly Line[] | null = null;

  constructor(feed: Feed, onNews: () => void) {
    this.#feed = feed;
    this.#onNews = onNews;
  }

  /** In the order of the tags, and of their looks. */
  get lines(): readonly Line[] {
    this.#lines ??= this.#sources.flatMap(({ part, delivery }) =>
      part.looks.flatMap((look) => {
        const points = delivery.series.get(look.id);
        return points ? [{ ...part, look, points }] : [];
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
  want(asked: Asked, moving = false): void {
    for (const source of this.#sources) {
      const want = wantOf(source.part, asked);
      if (source.subscription) source.subscription.want(want, moving);
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

function wantOf({ tag, looks }: Part, { zoom, px, smoothing, logX }: Asked): Want {
  const runs = looks.filter((look) => look.members === null).map(({ id }) => id);
  const groups = looks.flatMap(({ id, members }) => (members === null ? [] : [{ id, runs: members }]));
  const want = { tag, runs, zoom, px, smoothing, logX };
  return groups.length === 0 ? want : { ...want, groups };
}
