/**
 * Points for the cards on screen: gathers what all of them lack into one request, keeps what came, asks again only
 * for runs that changed, and drops requests that a new zoom or axis made pointless. No React, no drawing.
 */

import type { ChartQuestion, ChartsQuestion } from "../api/board";
import { ApiError, isAbort } from "../api/client";
import type { Axis, ChartSeries } from "../chart";
import { Shelf } from "./shelf";

/** A series as it came from the server: everything but its looks. */
export type Points = Omit<ChartSeries, "tag" | "label" | "color" | "dash" | "weight">;

/** One chart of an answer: its place in the question and its series. */
export interface ChartAnswer {
  index: number;
  series: Points[];
}

export type Ask = (question: ChartsQuestion, signal: AbortSignal) => Promise<ChartAnswer[]>;

/** What holds for all cards of the page at once. */
export interface Frame {
  axis: Axis;
  /** The tag whose values are x on the axis of a tag; "" on others. */
  xTag: string;
  smoothing: number;
  /** What the line of a group is, and what its band shows. */
  statistic: Statistic;
  band: Band;
}

export type Statistic = "mean" | "median";
export type Band = "none" | "sd" | "se" | "minmax";

/** Runs drawn as one line. Ids of groups are never those of runs. */
export interface Group {
  id: number;
  runs: readonly number[];
}

export interface Want {
  tag: string;
  runs: readonly number[];
  groups?: readonly Group[];
  /** Range of x in units of the axis; null is everything. */
  zoom: readonly [number, number] | null;
  /** Width of the plot in device pixels. */
  px: number;
}

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

/** A request under way. */
interface Batch {
  keys: ReadonlySet<string>;
  abort: AbortController;
}

interface Watcher {
  want: Want;
  deliver(delivery: Delivery): void;
  /** What was delivered last; shown until something better comes. */
  shown: Map<number, Points>;
  error: Error | null;
}

const REST_MS = 140;
const LIMIT_BYTES = 32 * 1024 * 1024;
/** Widths are rounded up to this, so that a small change of the window asks nothing. */
const PX_STEP = 64;
/** At this width a thousand points come whole, and the chart can smooth them while a slider moves. */
const PX_MIN = 512;
const PX_MAX = 4000;

export class Feed {
  readonly #ask: Ask;
  readonly #restMs: number;
  readonly #onReach: (reached: boolean) => void;
  readonly #shelf: Shelf<Kept>;
  readonly #watchers = new Set<Watcher>();
  readonly #batches = new Set<Batch>();
  readonly #versions = new Map<number, number>();
  #frame: Frame;
  #planned = false;
  #restUntil = 0;
  #restTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(ask: Ask, frame: Frame, options: FeedOptions = {}) {
    this.#ask = ask;
    this.#frame = frame;
    this.#restMs = options.restMs ?? REST_MS;
    this.#onReach = options.onReach ?? (() => {});
    this.#shelf = new Shelf(options.limitBytes ?? LIMIT_BYTES);
  }

  get bytes(): number {
    return this.#shelf.bytes;
  }

  /** Joins a card; `deliver` is called at once with what is at hand, then with each improvement. */
  watch(want: Want, deliver: (delivery: Delivery) => void): Subscription {
    const watcher: Watcher = { want: rounded(want), deliver, shown: new Map(), error: null };
    this.#watchers.add(watcher);
    this.#deliver(watcher);
    this.#plan();
    return {
      want: (next, moving = false) => {
        watcher.want = rounded(next);
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

  /** Changes axis or smoothing for all cards; a smoothing that moves is asked for when it rests. */
  setFrame(frame: Frame): void {
    const before = this.#frame;
    if (before.axis === frame.axis && before.smoothing === frame.smoothing) return;
    this.#frame = frame;
    if (before.smoothing !== frame.smoothing) this.#rest();
    for (const watcher of this.#watchers) {
      // A picture of another axis has other units: it cannot stand in.
      if (before.axis !== frame.axis) watcher.shown.clear();
      watcher.error = null;
      this.#deliver(watcher);
    }
    this.#plan();
  }

  /** These runs hold something new: their series are asked for again while the old ones stay on screen. */
  changed(runs: Iterable<number>): void {
    for (const run of runs) this.#versions.set(run, this.#version(run) + 1);
    this.#plan();
  }

  /** Nothing known holds any more, as after a restart of the server with other run ids. */
  forget(): void {
    for (const batch of this.#batches) batch.abort.abort();
    this.#batches.clear();
    this.#shelf.clear();
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

  #version(run: number): number {
    return this.#versions.get(run) ?? 0;
  }

  #key({ tag, zoom, px }: Want, run: number): string {
    return `${this.#frame.axis}|${zoom?.join() ?? ""}|${px}|${run}|${tag}`;
  }

  /** Whether what is kept is what the server would send now. */
  #fresh(kept: Kept, run: number): boolean {
    return kept.version === this.#version(run) && this.#smoothed(kept);
  }

  /** A whole raw series is smoothed by the chart itself, any other only by the server. */
  #smoothed({ points, smoothing }: Kept): boolean {
    return smoothing === this.#frame.smoothing || isWhole(points);
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
    for (const { want } of this.#watchers) {
      for (const run of want.runs) {
        needed.add(this.#key(want, run));
        if (want.zoom !== null) needed.add(this.#key({ ...want, zoom: null }, run));
      }
    }
    return needed;
  }

  #underWay(key: string): boolean {
    for (const batch of this.#batches) if (batch.keys.has(key)) return true;
    return false;
  }

  /** Asks, in one request per width, for everything that is missing and not on its way. */
  #flush(): void {
    const byWidth = new Map<number, Map<string, Want>>();
    for (const { want, error } of this.#watchers) {
      if (error !== null) continue;
      const runs = want.runs.filter((run) => this.#lacks(want, run));
      if (runs.length === 0) continue;
      const charts = byWidth.get(want.px) ?? new Map<string, Want>();
      byWidth.set(want.px, charts);
      charts.set(`${want.zoom?.join() ?? ""}|${want.tag}`, { ...want, runs });
    }
    for (const wants of byWidth.values()) void this.#send([...wants.values()]);
  }

  #lacks(want: Want, run: number): boolean {
    const kept = this.#kept(want, run);
    return !(kept && this.#fresh(kept, run)) && !this.#underWay(this.#key(want, run));
  }

  /** What is at hand for a range: its own answer, or all points of a series that came whole. */
  #kept(want: Want, run: number): Kept | undefined {
    const own = this.#shelf.get(this.#key(want, run));
    if (own !== undefined || want.zoom === null) return own;
    const whole = this.#shelf.get(this.#key({ ...want, zoom: null }, run));
    return whole && isWhole(whole.points) ? whole : undefined;
  }

  async #send(wants: readonly Want[]): Promise<void> {
    const frame = this.#frame;
    const versions = new Map(this.#versions);
    const keys = new Set(wants.flatMap((want) => want.runs.map((run) => this.#key(want, run))));
    const batch: Batch = { keys, abort: new AbortController() };
    this.#batches.add(batch);
    try {
      const answers = await this.#ask(question(frame, wants), batch.abort.signal);
      if (!this.#batches.delete(batch)) return;
      this.#keep(wants, answers, versions, frame.smoothing);
      this.#onReach(true);
    } catch (fault) {
      if (!this.#batches.delete(batch) || isAbort(fault)) return;
      this.#fail(wants, fault instanceof Error ? fault : new Error(String(fault)));
    }
    this.#plan();
  }

  #keep(
    wants: readonly Want[],
    answers: readonly ChartAnswer[],
    versions: ReadonlyMap<number, number>,
    smoothing: number,
  ): void {
    const byChart = new Map(answers.map((answer) => [answer.index, answer.series]));
    wants.forEach((want, chart) => {
      const found = new Map((byChart.get(chart) ?? []).map((points) => [points.run, points]));
      for (const run of want.runs) {
        const points = found.get(run) ?? null;
        const kept: Kept = { points, smoothing, version: versions.get(run) ?? 0 };
        this.#shelf.put(this.#key(want, run), kept, points === null ? 64 : sizeBytes(points));
      }
    });
    const tags = new Set(wants.map((want) => want.tag));
    for (const watcher of this.#watchers) if (tags.has(watcher.want.tag)) this.#deliver(watcher);
    const needed = this.#needed();
    this.#shelf.trim((key) => needed.has(key));
  }

  /** One bad chart must not take the others with it: a refused batch is asked again chart by chart. */
  #fail(wants: readonly Want[], error: Error): void {
    const unreachable = error instanceof ApiError && error.unreachable;
    if (unreachable) this.#onReach(false);
    if (!unreachable && wants.length > 1) {
      for (const want of wants) void this.#send([want]);
      return;
    }
    const tags = new Set(wants.map((want) => want.tag));
    for (const watcher of this.#watchers) {
      if (!tags.has(watcher.want.tag)) continue;
      watcher.error = error;
      this.#deliver(watcher);
    }
  }

  #deliver(watcher: Watcher): void {
    const { want } = watcher;
    const series = new Map<number, Points>();
    let complete = true;
    for (const run of want.runs) {
      const kept = this.#kept(want, run);
      const points = kept ? kept.points : watcher.shown.get(run);
      if (points) series.set(run, points);
      if (kept === undefined || !this.#smoothed(kept)) complete = false;
    }
    watcher.shown = series;
    watcher.deliver({ series, complete, error: watcher.error });
  }
}

function question(frame: Frame, wants: readonly Want[]): ChartsQuestion {
  const charts = wants.map(({ tag, runs, zoom }): ChartQuestion => {
    return { tag, runs, x0: zoom?.[0] ?? null, x1: zoom?.[1] ?? null };
  });
  const px = Math.max(...wants.map((want) => want.px));
  return { axis: frame.axis, px, smoothing: frame.smoothing, aux: true, charts };
}

/** Every point of the series is here, or there is none. */
function isWhole(points: Points | null): boolean {
  return points === null || (points.raw && points.inRange >= points.held);
}

function rounded(want: Want): Want {
  const px = Math.ceil(want.px / PX_STEP) * PX_STEP;
  return { ...want, px: Math.min(PX_MAX, Math.max(PX_MIN, px)) };
}

function sizeBytes(points: Points): number {
  const columns = [points.x, points.y, points.aux, points.sx, points.sy, points.restarts];
  return columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), 256);
}
