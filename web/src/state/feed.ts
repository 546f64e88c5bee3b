/**
 * Points for the cards on screen: gathers what all of them lack into one request, keeps what came, asks again only
 * for runs that changed, and drops requests that a new zoom or axis made pointless. No React, no drawing.
 */

import type { ChartQuestion, ChartsQuestion } from "../api/board";
import { ApiError, isAbort } from "../api/client";
import type { Axis, ChartSeries } from "../chart/model";
import { Shelf } from "./shelf";

/** A series as it came from the server: everything but its looks. */
export type Points = Omit<ChartSeries, "label" | "color" | "dash">;

/** One chart of an answer: its place in the question and its series. */
export interface ChartAnswer {
  chart: number;
  series: Points[];
}

export type Ask = (question: ChartsQuestion, signal: AbortSignal) => Promise<ChartAnswer[]>;

/** What holds for all cards of the page at once. */
export interface Frame {
  axis: Axis;
  smoothing: number;
  zoom: readonly [number, number] | null;
}

export interface Want {
  tag: string;
  runs: readonly number[];
  /** Width of the plot in device pixels. */
  px: number;
}

export interface Delivery {
  /** The best there is for each wanted run, of this frame or of one before it. */
  series: ReadonlyMap<number, Points>;
  /** Everything wanted is here, exactly as the frame asks. */
  complete: boolean;
  error: Error | null;
}

export interface Subscription {
  want(want: Want): void;
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
const PX_MIN = 64;
const PX_MAX = 4000;

export class Feed {
  readonly #ask: Ask;
  readonly #restMs: number;
  readonly #onReach: (reached: boolean) => void;
  readonly #shelf: Shelf<Kept>;
  readonly #watchers = new Set<Watcher>();
  readonly #pending = new Map<string, AbortController>();
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
      want: (next) => {
        watcher.want = rounded(next);
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

  /** Changes axis, zoom or smoothing for all cards. `moving`: more changes are coming, wait for them to rest. */
  setFrame(frame: Frame, moving = false): void {
    const before = this.#frame;
    const same =
      before.axis === frame.axis && before.smoothing === frame.smoothing && sameZoom(before.zoom, frame.zoom);
    if (same && !moving) return;
    this.#frame = frame;
    this.#abortAll();
    if (moving || before.smoothing !== frame.smoothing) this.#restUntil = performance.now() + this.#restMs;
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
    this.#abortAll();
    this.#shelf.clear();
    for (const watcher of this.#watchers) {
      watcher.shown.clear();
      watcher.error = null;
    }
    this.#plan();
  }

  /** The server answers again: cards that failed for want of it try once more. */
  recover(): void {
    for (const watcher of this.#watchers) watcher.error = null;
    this.#plan();
  }

  #version(run: number): number {
    return this.#versions.get(run) ?? 0;
  }

  #key(want: Want, run: number): string {
    const { axis, zoom } = this.#frame;
    return `${axis}|${zoom === null ? "" : zoom.join(",")}|${want.px}|${run}|${want.tag}`;
  }

  /** Whether what is kept is what the server would send now. */
  #fresh(kept: Kept, run: number): boolean {
    return kept.version === this.#version(run) && this.#smoothed(kept);
  }

  /** A whole raw series is smoothed by the chart itself, any other only by the server. */
  #smoothed({ points, smoothing }: Kept): boolean {
    if (smoothing === this.#frame.smoothing || points === null) return true;
    return points.raw && points.inRange >= points.held;
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    queueMicrotask(() => {
      this.#planned = false;
      const rest = this.#restUntil - performance.now();
      clearTimeout(this.#restTimer);
      if (rest > 0) this.#restTimer = setTimeout(() => this.#plan(), rest);
      else this.#flush();
    });
  }

  /** Asks, in one request per width, for everything that is missing and not on its way. */
  #flush(): void {
    const byWidth = new Map<number, Map<string, Set<number>>>();
    for (const { want, error } of this.#watchers) {
      if (error !== null) continue;
      for (const run of want.runs) {
        const key = this.#key(want, run);
        const kept = this.#shelf.get(key);
        if (this.#pending.has(key) || (kept && this.#fresh(kept, run))) continue;
        const tags = byWidth.get(want.px) ?? new Map<string, Set<number>>();
        byWidth.set(want.px, tags);
        tags.set(want.tag, (tags.get(want.tag) ?? new Set()).add(run));
      }
    }
    for (const [px, tags] of byWidth) void this.#send(px, tags);
  }

  async #send(px: number, tags: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    const frame = this.#frame;
    const abort = new AbortController();
    const wants = [...tags].map(([tag, runs]): Want => ({ tag, runs: [...runs], px }));
    const versions = new Map([...this.#versions]);
    for (const want of wants) for (const run of want.runs) this.#pending.set(this.#key(want, run), abort);
    try {
      const answers = await this.#ask(question(frame, px, wants), abort.signal);
      if (abort.signal.aborted) return;
      this.#settle(wants);
      this.#keep(wants, answers, versions, frame.smoothing);
      this.#onReach(true);
    } catch (fault) {
      if (abort.signal.aborted || isAbort(fault)) return;
      this.#settle(wants);
      this.#fail(px, wants, fault instanceof Error ? fault : new Error(String(fault)));
    }
    this.#plan();
  }

  #settle(wants: readonly Want[]): void {
    for (const want of wants) for (const run of want.runs) this.#pending.delete(this.#key(want, run));
  }

  #keep(
    wants: readonly Want[],
    answers: readonly ChartAnswer[],
    versions: ReadonlyMap<number, number>,
    smoothing: number,
  ): void {
    const byChart = new Map(answers.map((answer) => [answer.chart, answer.series]));
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
    const needed = new Set<string>();
    for (const { want } of this.#watchers) for (const run of want.runs) needed.add(this.#key(want, run));
    this.#shelf.trim((key) => needed.has(key));
  }

  /** One bad chart must not take the others with it: a refused batch is asked again chart by chart. */
  #fail(px: number, wants: readonly Want[], error: Error): void {
    const unreachable = error instanceof ApiError && error.unreachable;
    if (unreachable) this.#onReach(false);
    if (!unreachable && wants.length > 1) {
      for (const want of wants) void this.#send(px, new Map([[want.tag, new Set(want.runs)]]));
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
    const series = new Map<number, Points>();
    let complete = true;
    for (const run of watcher.want.runs) {
      const kept = this.#shelf.get(this.#key(watcher.want, run));
      const points = kept ? kept.points : watcher.shown.get(run);
      if (points) series.set(run, points);
      if (kept === undefined || !this.#smoothed(kept)) complete = false;
    }
    watcher.shown = series;
    watcher.deliver({ series, complete, error: watcher.error });
  }

  #abortAll(): void {
    for (const abort of new Set(this.#pending.values())) abort.abort();
    this.#pending.clear();
  }
}

function question(frame: Frame, px: number, wants: readonly Want[]): ChartsQuestion {
  const [x0, x1] = frame.zoom ?? [null, null];
  const charts = wants.map(({ tag, runs }): ChartQuestion => ({ tag, runs, x0, x1 }));
  return { axis: frame.axis, px, smoothing: frame.smoothing, aux: true, charts };
}

function rounded(want: Want): Want {
  const px = Math.ceil(want.px / PX_STEP) * PX_STEP;
  return { ...want, px: Math.min(PX_MAX, Math.max(PX_MIN, px)) };
}

function sameZoom(a: Frame["zoom"], b: Frame["zoom"]): boolean {
  return a === b || (a !== null && b !== null && a[0] === b[0] && a[1] === b[1]);
}

function sizeBytes(points: Points): number {
  const columns = [points.x, points.y, points.aux, points.sx, points.sy, points.restarts];
  return columns.reduce((sum, column) => sum + (column?.byteLength ?? 0), 256);
}
