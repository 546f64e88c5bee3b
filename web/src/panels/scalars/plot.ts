/**
 * Ties one chart to the page: points from the feed, view and scene by subscription, the tip, and the figures that
 * stand on the card as data attributes. React gives it elements and runs, and is told only of changes of state.
 */

import { Chart, type ChartStats, type ChartTheme, type ChartWords, formatX, type Row } from "../../chart";
import type { Delivery, Feed, Subscription } from "../../state/feed";
import { highlighted, hover, moveCursor, type Scene, useScene } from "../../state/scene";
import { currentShade, onShade } from "../../state/theme";
import { change, useView } from "../../state/view";
import type { View } from "../../state/viewstate";
import { boxOf, gestureUnderWay, zoomAll, zoomBack, zoomCard } from "../../state/zoom";
import { onLanguage, say } from "../../words/words";
import { announce } from "./announce";
import { Dresser, lookOf, type PlotRun } from "./look";
import { type Reading, sentence, tipContent } from "./reading";
import { chartTheme } from "./shade";
import { followSize } from "./size";
import { type FrontValue, Summary } from "./summary";
import { tip } from "./tip";
import type { Point } from "./tip-place";

export type PlotState = "idle" | "loading" | "ready" | "empty" | "error";

export interface PlotElements {
  /** Carries the data attributes. */
  card: HTMLElement;
  /** The chart fills it. */
  host: HTMLElement;
  summary: HTMLElement;
}

export interface PlotEvents {
  onState(state: PlotState, error: Error | null): void;
  onFigures(figures: Figures): void;
}

/** How true the picture is: points drawn, and points held, in the range in view. */
export interface Figures {
  drawn: number;
  held: number;
  /** Points are left out that only a zoom brings here; what several share a pixel column is no loss. */
  thinned: boolean;
}

/** Cards that cannot be redrawn within half a frame wait until the pointer rests on a run. */
const QUICK_DRAW_MS = 8;
const REST_MS = 120;
/** Part of the view within which a point still belongs to the place pointed at. */
const NEAR_X = 0.03;
/** Beyond any distance in pixels. */
const FAR_RANK = 1e6;

export class Plot {
  readonly #tag: string;
  readonly #feed: Feed;
  readonly #elements: PlotElements;
  readonly #events: PlotEvents;
  readonly #summary: Summary;
  readonly #chart: Chart;
  readonly #dresser = new Dresser();
  readonly #stops: (() => void)[];
  readonly #firstWall = new Map<number, number>();
  readonly #runs = new Map<number, PlotRun>();
  #subscription: Subscription | null = null;
  #delivery: Delivery = { series: new Map(), complete: false, error: null };
  #options = { logY: false, ignoreOutliers: true };
  #theme: ChartTheme;
  #nearestRun: number | null = null;
  #front: number | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;
  #pinX: number | null = null;
  #state: PlotState = "idle";
  #width = 0;

  constructor(tag: string, feed: Feed, elements: PlotElements, events: PlotEvents) {
    this.#tag = tag;
    this.#feed = feed;
    this.#elements = elements;
    this.#events = events;
    this.#summary = new Summary(elements.summary);
    this.#theme = chartTheme();
    this.#chart = new Chart(elements.host, {
      onCursor: (x, where, run) => this.#pointed(x, where && { x: where.clientX, y: where.clientY }, run),
      onZoom: (zoom, final) => {
        if (zoom === null) zoomBack();
        else if (zoom.y === null) zoomAll(zoom.x, final);
        else zoomCard({ tag, x: zoom.x, y: zoom.y }, final);
      },
      onPin: (x) => this.#pin(x),
      onDrawn: (stats) => this.#drawn(stats),
    });
    this.#stops = [
      followSize(elements.host, (size) => this.#resized(size)),
      useView.subscribe((view, before) => this.#viewChanged(view, before)),
      useScene.subscribe((scene, before) => this.#sceneChanged(scene, before)),
      onShade(() => this.#restyle()),
      onLanguage(() => this.#render()),
    ];
    this.#setState("idle");
  }

  setRuns(runs: readonly PlotRun[]): void {
    this.#runs.clear();
    for (const run of runs) this.#runs.set(run.id, run);
    this.#want();
  }

  setOptions(options: { logY: boolean; ignoreOutliers: boolean }): void {
    this.#options = options;
    this.#render();
  }

  /** Outside the window, kept ready for the next scroll. */
  setNear(near: boolean): void {
    this.#chart.priority = near ? "near" : "visible";
  }

  retry(): void {
    this.#subscription?.retry();
  }

  /** Moves the cursor by `points` of the data, as arrow keys do; infinite goes to an end. */
  step(points: number): void {
    const direction = points < 0 ? -1 : 1;
    let x = Number.isFinite(points) ? (useScene.getState().cursor?.x ?? null) : null;
    const count = Number.isFinite(points) ? Math.abs(points) : 1;
    if (!Number.isFinite(points)) x = this.#chart.nextX(null, direction < 0 ? 1 : -1);
    else for (let i = 0; i < count; i++) x = this.#chart.nextX(x, direction) ?? x;
    if (x === null) return;
    const box = this.#elements.host.getBoundingClientRect();
    const front = highlighted(useScene.getState());
    this.#pointed(x, { x: box.left + box.width / 2, y: box.top + box.height / 2 }, front);
    announce(sentence(this.#read(x)));
  }

  pinCursor(): void {
    const { cursor } = useScene.getState();
    if (cursor) this.#pin(cursor.x);
  }

  leave(): void {
    this.#pointed(null, null, null);
  }

  /** What the chart shows, in a sentence, for those who do not see it. */
  describe(): string {
    const rows = [...this.#delivery.series.values()];
    const last = rows.reduce(
      (most, points) => Math.max(most, points.x.at(-1) ?? most),
      Number.NEGATIVE_INFINITY,
    );
    if (rows.length === 0 || !Number.isFinite(last)) return this.#tag;
    const to = formatX(last, useView.getState().axis);
    return say("card.sentence", { tag: this.#tag, runs: rows.length, to });
  }

  destroy(): void {
    if (useScene.getState().cursor?.tag === this.#tag) this.leave();
    clearTimeout(this.#resting);
    for (const stop of this.#stops) stop();
    this.#subscription?.close();
    this.#chart.destroy();
  }

  #want(moving = false): void {
    const px = this.#width * Math.min(2, devicePixelRatio);
    if (px === 0) return;
    const view = useView.getState();
    const zoom = boxOf(view, this.#tag)?.x ?? view.zoom;
    const want = { tag: this.#tag, runs: [...this.#runs.keys()], zoom, px };
    if (this.#subscription) this.#subscription.want(want, moving);
    else this.#subscription = this.#feed.watch(want, (delivery) => this.#delivered(delivery));
  }

  #delivered(delivery: Delivery): void {
    this.#delivery = delivery;
    if (useView.getState().zoom === null) this.#noteFirstWalls();
    this.#render();
    const { series, complete, error } = delivery;
    if (error && !complete && series.size === 0) this.#setState("error", error);
    else if (!complete) this.#setState("loading");
    else if (series.size === 0) this.#setState("empty");
    // With points on hand the card is ready once they are drawn.
    else if (this.#state !== "ready") this.#setState("loading");
  }

  #noteFirstWalls(): void {
    if (useView.getState().axis !== "step") return;
    for (const [run, { aux }] of this.#delivery.series) {
      if (aux && aux.length > 0) this.#firstWall.set(run, aux[0]!);
    }
  }

  #render(): void {
    if (this.#width === 0) return;
    const view = useView.getState();
    const shade = currentShade();
    const box = boxOf(view, this.#tag);
    const series = [];
    for (const [id, points] of this.#delivery.series) {
      const run = this.#runs.get(id);
      if (run) series.push(this.#dresser.dress(points, run, shade));
    }
    const range = box?.x ?? view.zoom;
    this.#chart.set({
      series,
      axis: view.axis,
      xRange: range && [range[0], range[1]],
      yRange: box && [box.y[0], box.y[1]],
      logY: this.#options.logY,
      ignoreOutliers: this.#options.ignoreOutliers,
      smoothing: view.smoothing,
      highlighted: this.#front,
      theme: this.#theme,
      words: chartWords(),
    });
    this.#placePin(view);
    this.#moveCursor(useScene.getState());
  }

  #viewChanged(view: View, before: View): void {
    const moved = view.zoom !== before.zoom || view.boxes !== before.boxes;
    if (moved) this.#want(gestureUnderWay());
    if (moved || view.axis !== before.axis || view.smoothing !== before.smoothing) this.#render();
    else if (view.pin !== before.pin) {
      this.#placePin(view);
      this.#moveCursor(useScene.getState());
    }
  }

  #sceneChanged(scene: Scene, before: Scene): void {
    if (scene.cursor !== before.cursor) this.#moveCursor(scene);
    const front = this.#frontOf(scene);
    if (front !== this.#frontOf(before) || front !== this.#front) this.#bringForward(front);
  }

  /** A chart under the pointer brings its own lines forward; the table those of all charts. */
  #frontOf(scene: Scene): number | null {
    const elsewhere = scene.source === "chart" && scene.cursor?.tag !== this.#tag;
    const run = elsewhere ? scene.held : highlighted(scene);
    return run !== null && this.#runs.has(run) ? run : null;
  }

  #bringForward(front: number | null): void {
    clearTimeout(this.#resting);
    const apply = () => {
      this.#front = front;
      this.#chart.setHighlight(front);
      this.#summarise(useScene.getState());
    };
    if (this.#chart.stats.drawMs <= QUICK_DRAW_MS) apply();
    else this.#resting = setTimeout(apply, REST_MS);
  }

  #moveCursor(scene: Scene): void {
    this.#chart.setCursor(scene.cursor?.x ?? null, this.#pinX);
    this.#summarise(scene);
  }

  #pointed(x: number | null, where: Point | null, run: number | null): void {
    this.#nearestRun = run;
    if (x === null || where === null) {
      tip().hide();
      moveCursor(null);
      hover(null, "chart");
      return;
    }
    const reading = this.#read(x);
    const step = reading.axis === "step" ? x : (reading.rows[0]?.aux ?? null);
    moveCursor({ x, step, tag: this.#tag });
    hover(run, "chart");
    if (reading.rows.length === 0) return;
    tip().show(tipContent(reading), where, this.#elements.card);
  }

  #read(x: number): Reading {
    const { axis } = useView.getState();
    const { xmin, xmax } = this.#chart.stats;
    const span = xmax - xmin;
    const rows = this.#chart.valuesAt(x);
    const ranks = new Map(rows.map((row) => [row, this.#rank(row, x, span)]));
    rows.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
    const shade = currentShade();
    return { axis, shade, runs: this.#runs, firstWall: this.#firstWall, x, span, rows };
  }

  /** The run whose line is nearest comes first, then the others by distance; those with no point near x at the end. */
  #rank(row: Row, x: number, span: number): number {
    if (row.run === this.#nearestRun) return -1;
    return Math.abs(row.x - x) <= NEAR_X * span ? row.dist : FAR_RANK + row.dist;
  }

  /** A click keeps the step; the same step again lets it go. */
  #pin(x: number): void {
    const { pin } = useView.getState();
    const { axis, rows } = this.#read(x);
    const row = rows[0];
    const step = axis === "step" ? x : row?.aux;
    const run = row && this.#runs.get(row.run)?.name;
    if (step === null || step === undefined || run === undefined) return;
    change({ pin: pin?.step === step ? null : { run, step } });
  }

  /** On other axes the pinned step stands where its run had it: the same event, not the same number. */
  #placePin({ pin, axis }: View): void {
    this.#pinX = null;
    if (pin === null) return;
    if (axis === "step") {
      this.#pinX = pin.step;
      return;
    }
    for (const [id, { x, aux }] of this.#delivery.series) {
      if (this.#runs.get(id)?.name !== pin.run || !aux) continue;
      let best = -1;
      for (let i = 0; i < aux.length; i++) {
        if (best < 0 || Math.abs(aux[i]! - pin.step) < Math.abs(aux[best]! - pin.step)) best = i;
      }
      if (best >= 0) this.#pinX = x[best]!;
    }
  }

  /** The values at the cursor or the pinned step, else the card at rest. */
  #summarise(scene: Scene): void {
    const { axis, pin } = useView.getState();
    const step = scene.cursor ? scene.cursor.step : (pin?.step ?? null);
    const x = scene.cursor?.x ?? this.#pinX;
    // Under the pointer the tip has the values, and the buttons need the room.
    const silent = scene.cursor?.tag === this.#tag;
    if (x !== null && step !== null) this.#summary.cursor(step, silent ? null : this.#frontValue(x));
    else if (this.#front !== null) this.#summary.value(this.#frontValue(Number.POSITIVE_INFINITY));
    else this.#summary.rest(this.#delivery.series.size, axis === "step" ? this.#lastX() : null);
  }

  #frontValue(x: number): FrontValue | null {
    const run = this.#front === null ? undefined : this.#runs.get(this.#front);
    const row = run && this.#chart.valuesAt(x).find((candidate) => candidate.run === run.id);
    return row ? { ...lookOf(run, currentShade()), value: row.smoothed ?? row.y } : null;
  }

  #lastX(): number | null {
    let last: number | null = null;
    for (const { x } of this.#delivery.series.values()) {
      const end = x.at(-1);
      if (end !== undefined && (last === null || end > last)) last = end;
    }
    return last;
  }

  #drawn(stats: ChartStats): void {
    const { dataset } = this.#elements.card;
    const inside = this.#heldInside(stats);
    dataset.drawn = String(stats.drawn);
    dataset.drawMs = stats.drawMs.toFixed(1);
    dataset.xmin = String(stats.xmin);
    dataset.xmax = String(stats.xmax);
    const { series, complete } = this.#delivery;
    dataset.held = String(sum(series.values(), (points) => points.held));
    dataset.restarts = String(sum(series.values(), (points) => points.restarts.length));
    if (complete && series.size > 0) this.#setState("ready");
    const thinned = [...series.values()].some((points) => !points.raw);
    this.#events.onFigures({ drawn: stats.drawn, held: inside, thinned });
  }

  /** Points the server holds in the range in view; neighbours that only carry a line to the edge do not count. */
  #heldInside({ xmin, xmax }: ChartStats): number {
    let held = 0;
    for (const { x, raw, inRange } of this.#delivery.series.values()) {
      let inside = 0;
      for (const at of x) if (at >= xmin && at <= xmax) inside++;
      held += raw ? inside : inRange - (x.length - inside);
    }
    return held;
  }

  #setState(state: PlotState, error: Error | null = null): void {
    this.#elements.card.dataset.state = state;
    if (state === this.#state) return;
    this.#state = state;
    if (state === "ready") noteReady();
    this.#events.onState(state, error);
  }

  /** Called first when the host was laid out: asking it for its size sooner would lay out the page for each card. */
  #resized({ width, height }: DOMRectReadOnly): void {
    this.#width = width;
    this.#chart.resize({ width, height });
    this.#want();
  }

  #restyle(): void {
    this.#theme = chartTheme();
    this.#render();
  }
}

function sum<Item>(items: Iterable<Item>, of: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += of(item);
  return total;
}

/** The page is ready when none of its cards is waiting any more. */
function noteReady(): void {
  const root = document.documentElement;
  const waiting = '[data-testid="card"][data-state="idle"], [data-testid="card"][data-state="loading"]';
  if (root.dataset.ready === undefined && !document.querySelector(waiting)) root.dataset.ready = "true";
}

function chartWords(): ChartWords {
  return {
    above: (points) => say("chart.above", { points }),
    below: (points) => say("chart.below", { points }),
    notPositive: (points) => say("chart.notPositive", { points }),
    wheelHint: say("chart.wheelHint"),
  };
}
