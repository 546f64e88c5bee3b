/**
 * Points for the cards on screen: gathers what all of them lack into one request, keeps what came, asks again only
 * for runs that changed, and drops requests that a new zoom or axis made pointless. No React, no drawing.
 */

import type { ChartsQuestion } from "../api/board";
import { ApiError, isAbort } from "../api/client";
import {
  type Errand,
  errandFor,
  type Frame,
  type Item,
  itemsOf,
  type Line,
  lots,
  question,
  rounded,
  sameFrame,
  sameUnits,
  type Want,
} from "./asking";
import { LruCache } from "./lru-cache";
import { isWhole, type Points, sizeBytes } from "./points";
import { headOf, Splicer } from "./splice";

export type { Band, Frame, Group, Statistic, Want } from "./asking";
export { FINEST_PX } from "./asking";
export type { Points } from "./points";

/** One chart of an answer: its place in the question and its series. */
export interface ChartAnswer {
  index: number;
  series: Points[];
}

export type Ask = (question: ChartsQuestion, signal: AbortSignal) => Promise<ChartAnswer[]>;

export interface Delivery {
  /** The best there is for each wanted run and group, by id, of this frame or of one before it. */
  series: ReadonlyMap<number, Points>;
  /** Everything wanted is here, exactly as the frame asks. */
  complete: boolean;
  error: Error | null;
}

export interface Subscription {
  /** `moving`: more changes are coming, ask when they rest. */
  want(want: Want, moving?: boolean): void;
  retry(): void;
  close(): void;
}

export interface FeedOptions {
  /** How long a moving slider or a drag must rest before thinned series are asked for again. */
  restMs?: number;
  limitBytes?: number;
  /** Told after each answer or failure to reach the server. */
  onReach?: (reached: boolean) => void;
}

interface Kept {
  points: Points | null;
  version: number;
  smoothing: number;
}

/** One line of a request, as it was when it was asked for. */
interface Parcel {
  errand: Errand;
  item: Item;
  version: number;
}

/** A request under way. */
interface Batch {
  keys: ReadonlySet<string>;
  abort: AbortController;
}

interface Watcher {
  want: Want;
  /** The lines wanted, and the same lines without a zoom where there is one. */
  items: readonly Item[];
  wholes: readonly Item[];
  /** Where a log axis wants the beginning finer: its range, and the lines there. */
  head: Want["zoom"];
  heads: readonly Item[];
  deliver(delivery: Delivery): void;
  /** What was delivered last; shown until something better comes. */
  shown: Map<number, Points>;
  error: Error | null;
}

const REST_MS = 140;
const LIMIT_BYTES = 32 * 1024 * 1024;

export class Feed {
  readonly #ask: Ask;
  readonly #restMs: number;
  readonly #onReach: (reached: boolean) => void;
  readonly #cache: LruCache<Kept>;
  readonly #watchers = new Set<Watcher>();
  readonly #batches = new Set<Batch>();
  readonly #versions = new Map<number, number>();
  readonly #splicer = new Splicer();
  #frame: Frame;
  #planned = false;
  #restUntil = 0;
  #restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: Ask, frame: Frame, options: FeedOptions = {}) {
    this.#ask = ask;
    this.#frame = frame;
    this.#restMs = options.restMs ?? REST_MS;
    this.#onReach = options.onReach ?? (() => {});
    this.#cache = new LruCache(options.limitBytes ?? LIMIT_BYTES);
  }

  get bytes(): number {
    return this.#cache.bytes;
  }

  /** Joins a card; `deliver` is called at once with what is at hand, then with each improvement. */
  watch(want: Want, deliver: (delivery: Delivery) => void): Subscription {
    const none = { items: [], wholes: [], head: null, heads: [] };
    const watcher: Watcher = { want: rounded(want), ...none, deliver, shown: new Map(), error: null };
    this.#watchers.add(watcher);
    this.#list(watcher);
    this.#deliver(watcher);
    this.#plan();
    return {
      want: (next, moving = false) => {
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

  /** Changes axis, smoothing or statistic for all cards; a smoothing that moves is asked for when it rests. */
  setFrame(frame: Frame): void {
    const before = this.#frame;
    if (sameFrame(before, frame)) return;
    this.#frame = frame;
    if (before.smoothing !== frame.smoothing) this.#rest();
    for (const watcher of this.#watchers) {
      // A picture of another axis has other units: it cannot stand in.
      if (!sameUnits(before, frame)) watcher.shown.clear();
      watcher.error = null;
      this.#list(watcher);
      this.#deliver(watcher);
    }
    this.#plan();
  }

  /** These runs hold something new: their series are asked for again while the old ones stay on screen. */
  changed(runs: Iterable<number>): void {
    for (const run of runs) this.#versions.set(run, (this.#versions.get(run) ?? 0) + 1);
    this.#plan();
  }

  /** Nothing known holds any more, as after a restart of the server with other run ids. */
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

  /** The server answers again: cards that failed for want of it try once more. */
  recover(): void {
    for (const watcher of this.#watchers) {
      if (watcher.error === null) continue;
      watcher.error = null;
      this.#deliver(watcher);
    }
    this.#plan();
  }

  /** Grows whenever something of the line is new; of a group, whenever something of a member is. */
  #version({ id, runs }: Line): number {
    if (runs === null) return this.#versions.get(id) ?? 0;
    return runs.reduce((sum, run) => sum + (this.#versions.get(run) ?? 0), 0);
  }

  /** Names what is wanted once: cards are many, and asked about often. */
  #list(watcher: Watcher): void {
    const { want } = watcher;
    watcher.items = itemsOf(this.#frame, want);
    watcher.wholes = want.zoom === null ? [] : itemsOf(this.#frame, want, null);
    watcher.head = null;
    watcher.heads = [];
  }

  /** Whether what is kept is what the server would send now. */
  #fresh(kept: Kept, want: Want, line: Line): boolean {
    return kept.version === this.#version(line) && this.#smoothed(kept, want, line);
  }

  /** A run that came whole is smoothed by the chart itself, any other line only by the server. */
  #smoothed({ points, smoothing }: Kept, want: Want, { runs }: Line): boolean {
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

  /** Requests of which nothing is wanted any more, as after a new zoom. */
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

  /** Asks, in one request per width and smoothing, for everything that is missing and not on its way. */
  #flush(): void {
    const requests = new Map<string, Map<string, Errand>>();
    const asked = new Set<string>();
    const ask = (want: Want, items: readonly Item[], wholes: readonly Item[]) => {
      items.forEach((item, at) => {
        if (asked.has(item.key) || !this.#lacks(want, item, wholes[at])) return;
        asked.add(item.key);
        errandFor(requests, want).push(item);
      });
    };
    for (const { want, items, wholes, head, heads, error } of this.#watchers) {
      if (error !== null) continue;
      ask(want, items, wholes);
      ask({ ...want, zoom: head }, heads, []);
    }
    for (const errands of requests.values()) {
      for (const lot of lots([...errands.values()])) void this.#send(lot);
    }
  }

  #lacks(want: Want, item: Item, whole: Item | undefined): boolean {
    const kept = this.#kept(item, whole);
    return !(kept && this.#fresh(kept, want, item.line)) && !this.#underWay(item.key);
  }

  /** What is at hand for a range: its own answer, or all points of a line that came whole. */
  #kept({ key }: Item, whole: Item | undefined): Kept | undefined {
    const own = this.#cache.get(key);
    if (own !== undefined || whole === undefined) return own;
    const all = this.#cache.get(whole.key);
    return all && isWhole(all.points) ? all : undefined;
  }

  async #send(errands: readonly Errand[]): Promise<void> {
    const frame = this.#frame;
    const parcels = errands.flatMap((errand) =>
      errand.items.map((item): Parcel => ({ errand, item, version: this.#version(item.line) })),
    );
    const batch: Batch = { keys: new Set(parcels.map(({ item }) => item.key)), abort: new AbortController() };
    this.#batches.add(batch);
    try {
      const answers = await this.#ask(question(frame, errands), batch.abort.signal);
      if (!this.#batches.delete(batch)) return;
      this.#keep(errands, parcels, answers, frame);
      this.#onReach(true);
    } catch (fault) {
      if (!this.#batches.delete(batch) || isAbort(fault)) return;
      this.#fail(errands, fault instanceof Error ? fault : new Error(String(fault)));
    }
    this.#plan();
  }

  #keep(
    errands: readonly Errand[],
    parcels: readonly Parcel[],
    answers: readonly ChartAnswer[],
    frame: Frame,
  ): void {
    const found = new Map<Errand, Map<number, Points>>();
    for (const { index, series } of answers) {
      const errand = errands[index];
      if (errand) found.set(errand, new Map(series.map((points) => [points.run, points])));
    }
    for (const { errand, item, version } of parcels) {
      const points = found.get(errand)?.get(item.line.id) ?? null;
      const smoothing = errand.smoothing ?? frame.smoothing;
      this.#cache.put(item.key, { points, smoothing, version }, points === null ? 64 : sizeBytes(points));
    }
    const tags = new Set(errands.map(({ tag }) => tag));
    for (const watcher of this.#watchers) if (tags.has(watcher.want.tag)) this.#deliver(watcher);
    const needed = this.#needed();
    this.#cache.trim((key) => needed.has(key));
  }

  /** One bad chart must not take the others with it: a refused batch is asked again chart by chart. */
  #fail(errands: readonly Errand[], error: Error): void {
    const unreachable = error instanceof ApiError && error.unreachable;
    if (unreachable) this.#onReach(false);
    if (!unreachable && errands.length > 1) {
      for (const errand of errands) void this.#send([errand]);
      return;
    }
    const tags = new Set(errands.map(({ tag }) => tag));
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
      const kept = this.#kept(item, wholes[at]);
      const points = kept ? kept.points : watcher.shown.get(item.line.id);
      if (points) series.set(item.line.id, points);
      if (kept === undefined || !this.#smoothed(kept, want, item.line)) complete = false;
    });
    const log = want.logX && this.#frame.axis === "step";
    if (log && !this.#putHeads(watcher, series)) complete = false;
    watcher.shown = series;
    watcher.deliver({ series, complete, error: watcher.error });
  }

  /** Puts finer beginnings into `series` where they are at hand; false while some are on their way. */
  #putHeads(watcher: Watcher, series: Map<number, Points>): boolean {
    const { want } = watcher;
    const head = headOf(want.zoom, series.values());
    if (head?.join() !== watcher.head?.join()) {
      watcher.head = head;
      watcher.heads = head === null ? [] : itemsOf(this.#frame, want, head);
      this.#plan();
    }
    let complete = true;
    for (const { line, key } of watcher.heads) {
      const kept = this.#cache.get(key);
      const whole = series.get(line.id);
      if (kept === undefined || !this.#smoothed(kept, want, line)) complete = false;
      if (kept?.points && whole && !whole.raw)
        series.set(line.id, this.#splicer.splice(kept.points, whole, head![1]));
    }
    return complete;
  }
}
