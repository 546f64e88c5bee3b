/**
 * Keeping up with the logs: the stream of changes, a poll when there is none, and what to say about it. Pauses
 * while the tab is hidden and catches up once when it is seen again. On by default.
 */

import { create } from "zustand";
import { askReload, askStatus } from "../api/board";
import { type Change, listen } from "../api/events";
import type { Run as RunInfo, RunList } from "../api/schema.gen";
import type { Feed } from "./feed";
import { KIND_TAGS } from "./kindtags";
import { PROBLEMS, queries, runsQuery, statusQuery, tagsQuery } from "./lists";
import { loadOverlay, overlayMoved } from "./overlay";
import { VALUES } from "./values";

export interface Live {
  /** Wanted by the reader. */
  on: boolean;
  /** The server can be reached. */
  reached: boolean;
  /** The stream is open. */
  streaming: boolean;
  hidden: boolean;
  /** When the server was last heard, and when it will be tried next; epoch seconds of the real clock. */
  heardAt: number;
  retryAt: number | null;
  reloading: boolean;
}

export const useLive = create<Live>()(() => ({
  on: true,
  reached: true,
  streaming: false,
  hidden: false,
  heardAt: Date.now() / 1000,
  retryAt: null,
  reloading: false,
}));

const POLL_MS = 30_000;
/** A hub stops boards that nobody looks at: while the page is seen it says so this often, though its logs be quiet. */
const PRESENCE_MS = 60_000;
const RETRY_MS = [2000, 4000, 8000, 15_000];
/** A stream that broke while the server answers is tried again after this. */
const STREAM_RETRY_MS = 15_000;
/** The lists are asked for again at most this often, and never for more than a quarter of the time. */
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
  /** A change came while the lists were under way: what is coming may be of before. */
  #late = false;
  #refreshing = false;
  /** Changes may have been missed: at the start, while hidden, while the server was gone. */
  #gap = true;

  constructor(feed: Feed) {
    this.#feed = feed;
  }

  start(): () => void {
    const seen = () => this.#setHidden(document.visibilityState === "hidden");
    document.addEventListener("visibilitychange", seen);
    const stop = useLive.subscribe((live, before) => {
      if (live.on !== before.on || live.hidden !== before.hidden) this.#update();
    });
    this.#poll = setInterval(() => this.#pollOnce(), POLL_MS);
    const presence = setInterval(tellPresence, PRESENCE_MS);
    seen();
    this.#update();
    return () => {
      document.removeEventListener("visibilitychange", seen);
      stop();
      this.#disconnect();
      clearInterval(this.#poll);
      clearInterval(presence);
      clearTimeout(this.#lists);
    };
  }

  /** Asks the server to look at the files now, then shows what it found. */
  async reload(): Promise<void> {
    useLive.setState({ reloading: true });
    try {
      queries.setQueryData(STATUS, await askReload());
      this.#gap ||= !useLive.getState().streaming;
      await this.#refreshLists(true);
      this.#heard();
    } catch {
      this.#lost();
    } finally {
      useLive.setState({ reloading: false });
    }
  }

  /** A request for points reached the server, or did not. */
  reached(reached: boolean): void {
    if (reached) this.#heard();
    else this.#lost();
  }

  /** Tries at once instead of waiting for the countdown. */
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
      onOpen: () => this.#heard(),
      onChange: (change) => this.#changed(change),
      onOverlay: (revision) => overlayMoved(revision),
      onLost: () => void this.#cutOff(),
    });
  }

  /** The stream broke. Some proxies carry no streams at all: then the page polls, and nothing is lost. */
  async #cutOff(): Promise<void> {
    this.#close?.();
    this.#close = null;
    useLive.setState({ streaming: false });
    try {
      queries.setQueryData(STATUS, await askStatus());
      this.#heard();
      if (this.#close === null) this.#retryIn(STREAM_RETRY_MS);
    } catch {
      this.#lost();
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

  #heard(): void {
    const wasLost = !useLive.getState().reached;
    this.#failures = 0;
    useLive.setState({
      reached: true,
      streaming: this.#close !== null,
      heardAt: Date.now() / 1000,
      retryAt: null,
    });
    if (!wasLost) return;
    // It may be another server by now, with other ids.
    if (this.#close === null) this.#update();
    this.#feed.recover();
    this.#gap = true;
    void this.#refreshLists(true);
  }

  #lost(): void {
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
    this.#heard();
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

  /** Brings the lists up to date; after a gap, the runs that changed meanwhile are found by comparing. */
  async #refreshLists(structure: boolean): Promise<void> {
    clearTimeout(this.#lists);
    this.#lists = undefined;
    const gap = this.#gap;
    this.#structure = this.#gap = this.#late = false;
    this.#refreshing = true;
    const before = queries.getQueryData<RunList>(RUNS)?.runs ?? [];
    const began = performance.now();
    if (gap) void loadOverlay();
    const keys = structure
      ? [RUNS, STATUS, TAGS, PROBLEMS, ["kinds"], [KIND_TAGS], [VALUES]]
      : [RUNS, STATUS, PROBLEMS, [VALUES]];
    // What nobody looks at now is asked again when somebody does.
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

/** Every request says whether the page is seen; a stream that is open does not count. */
function tellPresence(): void {
  if (document.visibilityState === "visible") askStatus().catch(() => undefined);
}

/** The last request for a list that is looked at came to nothing. */
function failed(queryKey: readonly string[]): boolean {
  const query = queries.getQueryCache().find({ queryKey });
  return query?.isActive() === true && query.state.status === "error";
}

/** Whether an id now means another run: the server was started again. */
function renamed(before: readonly RunInfo[], after: readonly RunInfo[]): boolean {
  const names = new Map(before.map((run) => [run.id, run.name]));
  return after.some((run) => names.has(run.id) && names.get(run.id) !== run.name);
}

/** Ids of the runs that hold other points than before. */
function grown(before: readonly RunInfo[], after: readonly RunInfo[]): number[] {
  const points = new Map(before.map((run) => [run.id, run.points]));
  return after.filter((run) => points.get(run.id) !== run.points).map((run) => run.id);
}
