/**
 * Points for the cards on screen. Collects what all cards lack into one request, caches the responses, fetches again
 * only runs that changed, and cancels requests that a new zoom or axis made useless. No React, no drawing.
 */

import type { ChartsRequest } from "../../api/board";
import { ApiError, isAbort } from "../../api/client";
import { LruCache } from "../../lib/lru-cache";
import { isWhole, type Points, sizeBytes } from "./points";
import {
  batches,
  type ChartQuery,
  chartQueryFor,
  chartsRequest,
  type Frame,
  type Item,
  itemsOf,
  type Line,
  rounded,
  type SeriesQuery,
  sameFrame,
  sameUnits,
} from "./requests";
import { headRange, Splicer } from "./splice";

export type { Points } from "./points";
export type { Band, Frame, Group, SeriesQuery, Statistic } from "./requests";
export { MAX_PX } from "./requests";

/** One chart of a response: its index in the request, and its series. */
export interface ChartResponse {
  index: number;
  series: Points[];
}

export type FetchCharts = (request: ChartsRequest, signal: AbortSignal) => Promise<ChartResponse[]>;

export interface Delivery {
  /** The best points available for each requested run and group, by id; they may be of an earlier frame. */
  series: ReadonlyMap<number, Points>;
  /** Everything requested is here, exactly as the frame specifies. */
  complete: boolean;
  error: Error | null;
}

export interface Subscription {
  /** `moving`: more changes are coming, so fetch once they stop. */
  update(want: SeriesQuery, moving?: boolean): void;
  retry(): void;
  close(): void;
}

export interface FeedOptions {
  /** How long a slider or drag must rest before downsampled series are fetched again. */
  restMs?: number;
  limitBytes?: number;
  /** Called after each response, and after each failure to reach the server. */
  onReach?: (reached: boolean) => void;
}

interface CachedSeries {
  points: Points | null;
  version: number;
  smoothing: number;
}

/** One line of a request, with its version at the time of the request. */
interface PendingItem {
  chartQuery: ChartQuery;
  item: Item;
  version: number;
}

/** A request in flight. */
interface Batch {
  keys: ReadonlySet<string>;
  abort: AbortController;
}

interface Watcher {
  want: SeriesQuery;
  /** The requested lines and, if there is a zoom, the same lines without it. */
  items: readonly Item[];
  wholes: readonly Item[];
  /** The range at the start of a log axis that needs finer points, and its lines. */
  head: SeriesQuery["zoom"];
  heads: readonly Item[];
  deliver(delivery: Delivery): void;
  /** The last delivery; shown until something better arrives. */
  shown: Map<number, Points>;
  error: Error | null;
}

const REST_MS = 140;
const LIMIT_BYTES = 32 * 1024 * 1024;

export class Feed {
  readonly #ask: FetchCharts;
  readonly #restMs: number;
  readonly #onReach: (reached: boolean) => void;
  readonly #cache: LruCache<CachedSeries>;
  readonly #watchers = new Set<Watcher>();
  readonly #batches = new Set<Batch>();
  readonly #versions = new Map<number, number>();
  readonly #splicer = new Splicer();
  #frame: Frame;
  #planned = false;
  #restUntil = 0;
  #restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: FetchCharts, frame: Frame, options: FeedOptions = {}) {
    this.#ask = ask;
    this.#frame = frame;
    this.#restMs = options.restMs ?? REST_MS;
    this.#onReach = options.onReach ?? (() => {});
    this.#cache = new LruCache(options.limitBytes ?? LIMIT_BYTES);
  }

  get bytes(): number {
    return this.#cache.bytes;
  }

  /** Subscribes a card. `deliver` is called at once with what is available, then with each improvement. */
  watch(want: SeriesQuery, deliver: (delivery: Delivery) => void): Subscription {
    const none = { items: [], wholes: [], head: null, heads: [] };
    const watcher: Watcher = { want: rounded(want), ...none, deliver, shown: new Map(), error: null };
    this.#watchers.add(watcher);
    this.#list(watcher);
    this.#deliver(watcher);
    this.#plan();
    return {
      update: (next, moving = false) => {
        watcher.want = rounded(next);
        this.#list(watcher);
        if (moving) this.#rest();
        this.#deliver(watcher);
        this.#plan();
      },
      retry: () => {
        watcher.error = null;
        this.#deliver(watcher);
        this.#plan();
      },
      close: () => {
        this.#watchers.delete(watcher);
      },
    };
  }

  /** Sets axis, smoothing or statistic for all cards. While a smoothing moves, nothing is fetched. */
  setFrame(frame: Frame): void {
    const before = this.#frame;
    if (sameFrame(before, frame)) return;
    this.#frame = frame;
    if (before.smoothing !== frame.smoothing) this.#rest();
    for (const watcher of this.#watchers) {
      // Points of an axis with other units cannot stand in.
      if (!sameUnits(before, frame)) watcher.shown.clear();
      watcher.error = null;
      this.#list(watcher);
      this.#deliver(watcher);
    }
    this.#plan();
  }

  /** Marks runs as changed. Their series are fetched again while the old ones stay on screen. */
  changed(runs: Iterable<number>): void {
    for (const run of runs) this.#versions.set(run, (this.#versions.get(run) ?? 0) + 1);
    this.#plan();
  }

  /** Drops everything, as after a restart of the server with other run ids. */
  forget(): void {
    for (const batch of this.#batches) batch.abort.abort();
    this.#batches.clear();
    this.#cache.clear();
    for (const watcher of this.#watchers) {
      watcher.shown.clear();
      watcher.error = null;
    }
    this.#plan();
  }

  /** The server is back: retries cards whose request did not reach it. */
  recover(): void {
    for (const watcher of this.#watchers) {
      if (watcher.error === null) continue;
      watcher.error = null;
      this.#deliver(watcher);
    }
    this.#plan();
  }

  /** The version of a line: it increases whenever the run, or a member of the group, changes. */
  #version({ id, runs }: Line): number {
    if (runs === null) return this.#versions.get(id) ?? 0;
    return runs.reduce((sum, run) => sum + (this.#versions.get(run) ?? 0), 0);
  }

  /** Computes the keys of a card once: cards are many, and checked often. */
  #list(watcher: Watcher): void {
    const { want } = watcher;
    watcher.items = itemsOf(this.#frame, want);
    watcher.wholes = want.zoom === null ? [] : itemsOf(this.#frame, want, null);
    watcher.head = null;
    watcher.heads = [];
  }

  /** Whether the cached points are what the server would send now. */
  #fresh(cached: CachedSeries, want: SeriesQuery, line: Line): boolean {
    return cached.version === this.#version(line) && this.#smoothed(cached, want, line);
  }

  /** A run with all points is smoothed by the chart itself, any other line only by the server. */
  #smoothed({ points, smoothing }: CachedSeries, want: SeriesQuery, { runs }: Line): boolean {
    if (points === null || smoothing === (want.smoothing ?? this.#frame.smoothing)) return true;
    return runs === null && this.#frame.axis !== "tag" && isWhole(points);
  }

  #rest(): void {
    this.#restUntil = performance.now() + this.#restMs;
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      this.#abortNeedless();
      const rest = this.#restUntil - performance.now();
      clearTimeout(this.#restTimer);
      if (rest > 0) this.#restTimer = setTimeout(() => this.#plan(), rest);
      else this.#flush();
    });
  }

  /** Cancels requests of which nothing is needed any more, as after a new zoom. */
  #abortNeedless(): void {
    if (this.#batches.size === 0) return;
    const needed = this.#needed();
    for (const batch of this.#batches) {
      if (![...batch.keys].some((key) => needed.has(key))) {
        this.#batches.delete(batch);
        batch.abort.abort();
      }
    }
  }

  #needed(): Set<string> {
    const needed = new Set<string>();
    for (const { items, wholes, heads } of this.#watchers) {
      for (const { key } of items) needed.add(key);
      for (const { key } of wholes) needed.add(key);
      for (const { key } of heads) needed.add(key);
    }
    return needed;
  }

  #underWay(key: string): boolean {
    for (const batch of this.#batches) if (batch.keys.has(key)) return true;
    return false;
  }

  /** Fetches everything that is missing and not in flight, in one request per width and smoothing. */
  #flush(): void {
    const requests = new Map<string, Map<string, ChartQuery>>();
    const requested = new Set<string>();
    const ask = (want: SeriesQuery, items: readonly Item[], wholes: readonly Item[]) => {
      items.forEach((item, at) => {
        if (requested.has(item.key) || !this.#lacks(want, item, wholes[at])) return;
        requested.add(item.key);
        chartQueryFor(requests, want).push(item);
      });
    };
    for (const { want, items, wholes, head, heads, error } of this.#watchers) {
      if (error !== null) continue;
      ask(want, items, wholes);
      ask({ ...want, zoom: head }, heads, []);
    }
    for (const chartQueries of requests.values()) {
      for (const lot of batches([...chartQueries.values()])) void this.#send(lot);
    }
  }

  #lacks(want: SeriesQuery, item: Item, whole: Item | undefined): boolean {
    const cached = this.#cached(item, whole);
    return !(cached && this.#fresh(cached, want, item.line)) && !this.#underWay(item.key);
  }

  /** Cached points for a range: its own response, or all points of a line. */
  #cached({ key }: Item, whole: Item | undefined): CachedSeries | undefined {
    const own = this.#cache.get(key);
    if (own !== undefined || whole === undefined) return own;
    const all = this.#cache.get(whole.key);
    return all && isWhole(all.points) ? all : undefined;
  }

  async #send(chartQueries: readonly ChartQuery[]): Promise<void> {
    const frame = this.#frame;
    const pendingItems = chartQueries.flatMap((chartQuery) =>
      chartQuery.items.map((item): PendingItem => ({ chartQuery, item, version: this.#version(item.line) })),
    );
    const batch: Batch = {
      keys: new Set(pendingItems.map(({ item }) => item.key)),
      abort: new AbortController(),
    };
    this.#batches.add(batch);
    try {
      const answers = await this.#ask(chartsRequest(frame, chartQueries), batch.abort.signal);
      if (!this.#batches.delete(batch)) return;
      this.#keep(chartQueries, pendingItems, answers, frame);
      this.#onReach(true);
    } catch (fault) {
      if (!this.#batches.delete(batch) || isAbort(fault)) return;
      this.#fail(chartQueries, fault instanceof Error ? fault : new Error(String(fault)));
    }
    this.#plan();
  }

  #keep(
    chartQueries: readonly ChartQuery[],
    pendingItems: readonly PendingItem[],
    answers: readonly ChartResponse[],
    frame: Frame,
  ): void {
    const found = new Map<ChartQuery, Map<number, Points>>();
    for (const { index, series } of answers) {
      const chartQuery = chartQueries[index];
      if (chartQuery) found.set(chartQuery, new Map(series.map((points) => [points.run, points])));
    }
    for (const { chartQuery, item, version } of pendingItems) {
      const points = found.get(chartQuery)?.get(item.line.id) ?? null;
      const smoothing = chartQuery.smoothing ?? frame.smoothing;
      this.#cache.put(item.key, { points, smoothing, version }, points === null ? 64 : sizeBytes(points));
    }
    const tags = new Set(chartQueries.map(({ tag }) => tag));
    for (const watcher of this.#watchers) if (tags.has(watcher.want.tag)) this.#deliver(watcher);
    const needed = this.#needed();
    this.#cache.trim((key) => needed.has(key));
  }

  /** A refused batch is sent again chart by chart, so that one bad chart does not fail the others. */
  #fail(chartQueries: readonly ChartQuery[], error: Error): void {
    const unreachable = error instanceof ApiError && error.unreachable;
    if (unreachable) this.#onReach(false);
    if (!unreachable && chartQueries.length > 1) {
      for (const chartQuery of chartQueries) void this.#send([chartQuery]);
      return;
    }
    const tags = new Set(chartQueries.map(({ tag }) => tag));
    for (const watcher of this.#watchers) {
      if (!tags.has(watcher.want.tag)) continue;
      watcher.error = error;
      this.#deliver(watcher);
    }
  }

  #deliver(watcher: Watcher): void {
    const { want, items, wholes } = watcher;
    const series = new Map<number, Points>();
    let complete = true;
    items.forEach((item, at) => {
      const cached = this.#cached(item, wholes[at]);
      const points = cached ? cached.points : watcher.shown.get(item.line.id);
      if (points) series.set(item.line.id, points);
      if (cached === undefined || !this.#smoothed(cached, want, item.line)) complete = false;
    });
    const log = want.logX && this.#frame.axis === "step";
    if (log && !this.#putHeads(watcher, series)) complete = false;
    watcher.shown = series;
    watcher.deliver({ series, complete, error: watcher.error });
  }

  /** Splices finer beginnings into `series` where they are available; false while some are in flight. */
  #putHeads(watcher: Watcher, series: Map<number, Points>): boolean {
    const { want } = watcher;
    const head = headRange(want.zoom, series.values());
    if (head?.join() !== watcher.head?.join()) {
      watcher.head = head;
      watcher.heads = head === null ? [] : itemsOf(this.#frame, want, head);
      this.#plan();
    }
    let complete = true;
    for (const { line, key } of watcher.heads) {
      const cached = this.#cache.get(key);
      const whole = series.get(line.id);
      if (cached === undefined || !this.#smoothed(cached, want, line)) complete = false;
      if (cached?.points && whole && !whole.raw)
        series.set(line.id, this.#splicer.splice(cached.points, whole, head![1]));
    }
    return complete;
  }
}
