/**
 * Live updates: the stream of changes, polling when there is none, and their status. Pauses while the tab is hidden
 * and catches up once it is visible. On by default.
 */

import { create } from "zustand";
import { fetchStatus, requestReload } from "../../api/board";
import { type Change, listen } from "../../api/events";
import type { Run as RunInfo, RunList } from "../../api/schema.gen";
import { annotationsChanged, loadAnnotations } from "./annotations";
import type { Feed } from "./feed";
import { PROBLEMS, queries, runsQuery, statusQuery, tagsQuery } from "./lists";
import { KIND_TAGS, VALUES } from "./values";

export interface Live {
  /** Switched on by the user. */
  on: boolean;
  /** The server is reachable. */
  reached: boolean;
  /** The stream is open. */
  streaming: boolean;
  hidden: boolean;
  /** When the server last answered and when it is tried next, in epoch seconds of the real clock. */
  answeredAt: number;
  retryAt: number | null;
  reloading: boolean;
}

export const useLive = create<Live>()(() => ({
  on: true,
  reached: true,
  streaming: false,
  hidden: false,
  answeredAt: Date.now() / 1000,
  retryAt: null,
  reloading: false,
}));

const POLL_MS = 30_000;
/**
 * A hub stops boards that nobody looks at: a visible page reports itself this often, even if its logs do not change.
 */
const PRESENCE_MS = 60_000;
const RETRY_MS = [2000, 4000, 8000, 15_000];
/** Retry the stream after this if it broke while the server answers. */
const STREAM_RETRY_MS = 15_000;
/** Minimum time between fetches of the lists, which also take at most a quarter of the time. */
const LISTS_MIN_MS = 300;
const LISTS_MAX_MS = 5000;

const RUNS = runsQuery.queryKey;
const STATUS = statusQuery.queryKey;
const TAGS = tagsQuery.queryKey;

export class LiveUpdates {
  readonly #feed: Feed;
  #close: (() => void) | null = null;
  #poll: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #lists: ReturnType<typeof setTimeout> | undefined;
  #listsAt = 0;
  #listsEveryMs = LISTS_MIN_MS;
  #failures = 0;
  #generation = -1;
  #structure = false;
  /** A change arrived during a fetch of the lists, whose response may be older than the change. */
  #late = false;
  #refreshing = false;
  /** Changes may have been missed: at the start, while hidden, while the server was unreachable. */
  #gap = true;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  start(): () => void {
    const onVisibility = () => this.#setHidden(document.visibilityState === "hidden");
    document.addEventListener("visibilitychange", onVisibility);
    const stop = useLive.subscribe((live, before) => {
      if (live.on !== before.on || live.hidden !== before.hidden) this.#update();
    });
    this.#poll = setInterval(() => this.#pollOnce(), POLL_MS);
    const presence = setInterval(tellPresence, PRESENCE_MS);
    onVisibility();
    this.#update();
    return () => {
      document.removeEventListener("visibilitychange", onVisibility);
      stop();
      this.#disconnect();
      clearInterval(this.#poll);
      clearInterval(presence);
      clearTimeout(this.#lists);
    };
  }

  /** Makes the server rescan the files, then shows what it found. */
  async reload(): Promise<void> {
    useLive.setState({ reloading: true });
    try {
      queries.setQueryData(STATUS, await requestReload());
      this.#gap ||= !useLive.getState().streaming;
      await this.#refreshLists(true);
      this.#recordAnswer();
    } catch {
      this.#disconnected();
    } finally {
      useLive.setState({ reloading: false });
    }
  }

  /** Reports whether a request for points reached the server. */
  reached(reached: boolean): void {
    if (reached) this.#recordAnswer();
    else this.#disconnected();
  }

  /** Retries now instead of waiting for the countdown. */
  retryNow(): void {
    this.#failures = 0;
    this.#connect();
  }

  #setHidden(hidden: boolean): void {
    useLive.setState({ hidden });
  }

  #update(): void {
    const { on, hidden } = useLive.getState();
    if (on && !hidden) this.#connect();
    else this.#disconnect();
  }

  #connect(): void {
    this.#disconnect();
    this.#gap = true;
    this.#close = listen({
      onOpen: () => this.#recordAnswer(),
      onChange: (change) => this.#changed(change),
      onAnnotations: (revision) => annotationsChanged(revision),
      onLost: () => void this.#cutOff(),
    });
  }

  /** Handles a broken stream. Some proxies do not support streams: then the page polls. */
  async #cutOff(): Promise<void> {
    this.#close?.();
    this.#close = null;
    useLive.setState({ streaming: false });
    try {
      queries.setQueryData(STATUS, await fetchStatus());
      this.#recordAnswer();
      if (this.#close === null) this.#retryIn(STREAM_RETRY_MS);
    } catch {
      this.#disconnected();
    }
  }

  #retryIn(wait: number): void {
    clearTimeout(this.#retry);
    const { on, hidden } = useLive.getState();
    if (on && !hidden) this.#retry = setTimeout(() => this.#connect(), wait);
  }

  #disconnect(): void {
    this.#close?.();
    this.#close = null;
    clearTimeout(this.#retry);
    useLive.setState({ streaming: false, retryAt: null });
  }

  #recordAnswer(): void {
    const wasLost = !useLive.getState().reached;
    this.#failures = 0;
    useLive.setState({
      reached: true,
      streaming: this.#close !== null,
      answeredAt: Date.now() / 1000,
      retryAt: null,
    });
    if (!wasLost) return;
    // The server may have restarted with other ids.
    if (this.#close === null) this.#update();
    this.#feed.recover();
    this.#gap = true;
    void this.#refreshLists(true);
  }

  #disconnected(): void {
    const live = useLive.getState();
    this.#close?.();
    this.#close = null;
    const wait = RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)]!;
    this.#failures += 1;
    const wanted = live.on && !live.hidden;
    useLive.setState({
      reached: false,
      streaming: false,
      retryAt: wanted ? (Date.now() + wait) / 1000 : null,
    });
    this.#retryIn(wait);
  }

  #changed(change: Change): void {
    this.#recordAnswer();
    this.#gap ||= change.generation < this.#generation;
    if (change.generation === this.#generation && !this.#gap) return;
    this.#generation = change.generation;
    this.#feed.changed(change.runs);
    this.#structure ||= change.structure || this.#gap;
    const known = queries.getQueryData<RunList>(RUNS)?.generation;
    if (this.#gap && known === change.generation) this.#gap = false;
    else this.#planLists();
  }

  #planLists(): void {
    if (this.#refreshing) this.#late = true;
    if (this.#refreshing || this.#lists !== undefined) return;
    const wait = Math.max(0, this.#listsAt + this.#listsEveryMs - performance.now());
    this.#lists = setTimeout(() => void this.#refreshLists(this.#structure), wait);
  }

  /** Refreshes the lists. After a gap, the changed runs are found by comparing. */
  async #refreshLists(structure: boolean): Promise<void> {
    clearTimeout(this.#lists);
    this.#lists = undefined;
    const gap = this.#gap;
    this.#structure = this.#gap = this.#late = false;
    this.#refreshing = true;
    const before = queries.getQueryData<RunList>(RUNS)?.runs ?? [];
    const began = performance.now();
    if (gap) void loadAnnotations();
    const keys = structure
      ? [RUNS, STATUS, TAGS, PROBLEMS, ["kinds"], [KIND_TAGS], [VALUES]]
      : [RUNS, STATUS, PROBLEMS, [VALUES]];
    // Queries that are not on screen are fetched again when they are needed.
    await Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey })));
    this.#refreshing = false;
    this.#listsAt = performance.now();
    this.#listsEveryMs = Math.min(LISTS_MAX_MS, Math.max(LISTS_MIN_MS, 4 * (this.#listsAt - began)));
    if (keys.some((queryKey) => failed(queryKey))) {
      this.#structure ||= structure;
      this.#gap ||= gap;
      this.#planLists();
      return;
    }
    if (this.#late || this.#structure) this.#planLists();
    if (!gap) return;
    const after = queries.getQueryData<RunList>(RUNS)?.runs ?? [];
    if (renamed(before, after)) this.#feed.forget();
    else this.#feed.changed(grown(before, after));
  }

  #pollOnce(): void {
    const { on, hidden, streaming } = useLive.getState();
    if (!on || hidden || streaming) return;
    this.#gap = true;
    void this.#refreshLists(true);
  }
}

/** Each request carries the visibility of the page; an open stream does not count as a visitor. */
function tellPresence(): void {
  if (document.visibilityState === "visible") fetchStatus().catch(() => undefined);
}

/** Whether the last fetch of an active list failed. */
function failed(queryKey: readonly string[]): boolean {
  const query = queries.getQueryCache().find({ queryKey });
  return query?.isActive() === true && query.state.status === "error";
}

/** Whether ids now mean other runs: the server was restarted. */
function renamed(before: readonly RunInfo[], after: readonly RunInfo[]): boolean {
  const names = new Map(before.map((run) => [run.id, run.name]));
  return after.some((run) => names.has(run.id) && names.get(run.id) !== run.name);
}

/** Ids of the runs whose points changed. */
function grown(before: readonly RunInfo[], after: readonly RunInfo[]): number[] {
  const points = new Map(before.map((run) => [run.id, run.points]));
  return after.filter((run) => points.get(run.id) !== run.points).map((run) => run.id);
}
