/**
 * Ties one chart to the page: points from the feed, view and interaction by subscription, the tip, and the figures that
 * stand on the card as data attributes. React gives it elements and runs, and is told only of changes of state.
 */

import {
  Chart,
  type ChartStats,
  type ChartTheme,
  digitsWithin,
  formatX,
  type Handle,
  type Row,
  type Zoom,
} from "../../chart";
import { onLanguage, say } from "../../i18n/words";
import { shortNames } from "../../lib/short-names";
import { chartWords } from "../cards/chart-words";
import { type Margin, withBands } from "../cards/margins";
import { type Feed, MAX_PX } from "../data/feed";
import { sharedByRuns } from "../runs/run-labels";
import { highlighted, hover, type Interaction, moveCursor, useInteraction } from "../view/interaction";
import { currentColorScheme, onColorScheme } from "../view/theme";
import { useView } from "../view/view";
import type { Span, View } from "../view/view-state";
import { boxOf, isZooming, zoomAll, zoomBack, zoomCard } from "../view/zoom";
import { announce } from "./announce";
import { CardSubscriptions, type Line, type Part } from "./card-subscriptions";
import { chartTheme } from "./chart-theme";
import { CornerButtons } from "./corner-buttons";
import { observeSize } from "./observe-size";
import { dragHandle, extendPin, togglePinned } from "./pin-actions";
import { PinnedPoints, withExactPoints } from "./pinned-points";
import { type PointCounts, pointCountsOf, writePointCounts } from "./point-counts";
import { type PlotRun, SeriesBuilder } from "./series-builder";
import { stepAt, xOfStep, xRangeOf } from "./step-positions";
import { runCount, summarise } from "./summarise";
import { Summary } from "./summary";
import { type TipContent, tip } from "./tip";
import { type TipInput, tipContent, tipSentence } from "./tip-content";
import type { Point } from "./tip-position";

export type PlotState = "idle" | "loading" | "ready" | "empty" | "error";

export interface PlotElements {
  /** Has the data attributes. */
  card: HTMLElement;
  /** Contains the chart. */
  host: HTMLElement;
  summary: HTMLElement;
}

export interface PlotEvents {
  onState(state: PlotState, error: Error | null): void;
  onFigures(figures: PointCounts): void;
  /** Other points have arrived. */
  onPoints?(): void;
  /** Show the points outside the range of y. */
  onShowAll(): void;
}

/** Options of a card for drawing its lines. */
export interface PlotOptions {
  logY: boolean;
  logX: boolean;
  ignoreOutliers: boolean;
  /** Null uses the page's smoothing. */
  smoothing: number | null;
  /** A range of y that the user set. */
  y: Span | null;
  /** Name of the baseline run for differences; null shows the values. */
  baseline: string | null;
  /** Name the lines at their ends. */
  labels: boolean;
}

const PLAIN: PlotOptions = {
  logY: false,
  logX: false,
  ignoreOutliers: true,
  smoothing: null,
  y: null,
  baseline: null,
  labels: false,
};

/** Cards that take longer than half a frame to redraw wait until the pointer rests on a run. */
const QUICK_DRAW_MS = 8;
const REST_MS = 120;
/** Share of the view within which a point belongs to the cursor. */
const NEAR_X = 0.03;
/** Width from which on two values, a step and most names fit into the head of a card. */
const ROOM_FOR_TWO = 345;
/** Without hover, the buttons of a card are always visible. */
const BUTTONS_STAY = matchMedia("(hover: none)");
const BUTTONS_PX = 120;
/** Larger than any distance in pixels. */
const FAR_RANK = 1e6;

export class Plot {
  readonly #tag: string;
  readonly #elements: PlotElements;
  readonly #events: PlotEvents;
  readonly #summary: Summary;
  readonly #corners: CornerButtons;
  readonly #chart: Chart;
  readonly #sources: CardSubscriptions;
  readonly #pinned: PinnedPoints;
  readonly #seriesBuilder = new SeriesBuilder();
  readonly #stops: (() => void)[];
  readonly #firstWall = new Map<number, number>();
  readonly #runs = new Map<number, PlotRun>();
  #names: ReadonlyMap<string, string> | null = null;
  #parts: readonly Part[] = [];
  #margins: readonly Margin[] | null = null;
  #options = PLAIN;
  #theme: ChartTheme;
  /** The input of the kept tooltip. */
  #keptTip: TipInput | null = null;
  #nearest: { run: number; tag: string | null } | null = null;
  #front: number | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** x of the pinned step. */
  #pinPlace: number | null = null;
  /** The same if it is marked: not if a range ends there. */
  #pinX: number | null = null;
  #rangeX: [number, number] | null = null;
  #state: PlotState = "idle";
  #width = 0;

  constructor(tag: string, feed: Feed, elements: PlotElements, events: PlotEvents) {
    this.#tag = tag;
    this.#elements = elements;
    this.#events = events;
    this.#sources = new CardSubscriptions(feed, () => this.#delivered());
    this.#pinned = new PinnedPoints(feed, () => this.#pinnedDelivered());
    this.#summary = new Summary(elements.summary, elements.card);
    this.#corners = new CornerButtons(elements.host, () => events.onShowAll());
    this.#theme = chartTheme();
    this.#chart = new Chart(elements.host, {
      onCursor: (x, where, run, of) =>
        this.#pointed(x, where && { x: where.clientX, y: where.clientY }, run, of ?? null),
      onZoom: (zoom, final) => this.#zoom(zoom, final),
      onPin: (x, extend, where) => this.#pin(x, extend, { x: where.clientX, y: where.clientY }),
      onHandle: (handle, x, final) => this.#dragHandle(handle, x, final),
      onDrawn: (stats) => this.#drawn(stats),
    });
    this.#stops = [
      observeSize(elements.host, (size) => this.#resized(size)),
      useView.subscribe((view, before) => this.#viewChanged(view, before)),
      useInteraction.subscribe((interaction, before) => this.#interactionChanged(interaction, before)),
      onColorScheme(() => this.#restyle()),
      onLanguage(() => this.#render()),
    ];
    this.#setState("idle");
  }

  /** The chart, for exports. */
  get chart(): Chart {
    return this.#chart;
  }

  /** The drawn lines, without the edges of bands. */
  get lines(): readonly Line[] {
    const { lines } = this.#sources;
    const margins = this.#margins;
    return margins === null ? lines : lines.filter(({ tag }) => margins.some(({ value }) => value === tag));
  }

  /** `margins`: bands whose edges are tags among the parts. */
  setParts(parts: readonly Part[], margins: readonly Margin[] | null = null): void {
    this.#margins = margins;
    this.#parts = parts;
    this.#runs.clear();
    for (const { lineStyles } of parts)
      for (const lineStyle of lineStyles) this.#runs.set(lineStyle.id, lineStyle);
    const tags = margins === null ? parts.map(({ tag }) => tag) : margins.map(({ value }) => value);
    const short = shortNames(tags).each;
    this.#names = tags.length > 1 ? new Map(tags.map((tag, at) => [tag, short[at]!])) : null;
    this.#sources.setParts(parts);
    this.#want();
    // Drawn lines may be gone, with no delivery to wait for.
    if (this.#width > 0) this.#delivered();
  }

  setOptions(options: Partial<PlotOptions>): void {
    const before = this.#options;
    this.#options = { ...before, ...options };
    const { smoothing, logX } = this.#options;
    if (before.smoothing !== smoothing || before.logX !== logX) this.#want(true);
    this.#render();
  }

  /** Outside the window, but ready for the next scroll. */
  setNear(near: boolean): void {
    this.#chart.priority = near ? "near" : "visible";
    this.#askPinned();
  }

  retry(): void {
    this.#sources.retry();
  }

  /** Moves the cursor by `points` data points, as arrow keys do; infinite moves to an end. */
  step(points: number): void {
    tip().drop();
    const direction = points < 0 ? -1 : 1;
    let x = Number.isFinite(points) ? (useInteraction.getState().cursor?.x ?? this.#pinX) : null;
    const count = Number.isFinite(points) ? Math.abs(points) : 1;
    if (!Number.isFinite(points)) x = this.#chart.nextX(null, direction < 0 ? 1 : -1);
    else for (let i = 0; i < count; i++) x = this.#chart.nextX(x, direction) ?? x;
    if (x === null) return;
    const box = this.#elements.host.getBoundingClientRect();
    const front = highlighted(useInteraction.getState());
    this.#pointed(x, { x: box.left + box.width / 2, y: box.top + box.height / 2 }, front, null);
    announce(tipSentence(this.#read(x)));
  }

  /** Pins the step of the cursor, like a click; `extend` as with Shift. */
  pinCursor(extend = false): void {
    const { cursor } = useInteraction.getState();
    if (cursor) this.#pin(cursor.x, extend, null);
  }

  leave(): void {
    this.#pointed(null, null, null, null);
  }

  /** A text alternative for screen readers. */
  describe(): string {
    const { lines } = this;
    const last = lines.reduce(
      (most, { points }) => Math.max(most, points.x.at(-1) ?? most),
      Number.NEGATIVE_INFINITY,
    );
    const tag = this.#names === null ? this.#tag : [...this.#names.keys()].join(", ");
    if (lines.length === 0 || !Number.isFinite(last)) return tag;
    const to = formatX(last, useView.getState().axis);
    return say("card.sentence", { tag, runs: runCount(lines), to });
  }

  /** The values at the cursor, otherwise at the pinned step, otherwise at the ends. */
  rows(): { x: number | null; rows: readonly Row[] } {
    const x = useInteraction.getState().cursor?.x ?? this.#pinPlace;
    return { x, rows: this.#rowsAt(x ?? Number.POSITIVE_INFINITY) };
  }

  destroy(): void {
    if (useInteraction.getState().cursor?.tag === this.#tag) this.leave();
    tip().forget(this.#elements.card);
    clearTimeout(this.#resting);
    for (const stop of this.#stops) stop();
    this.#sources.close();
    this.#pinned.ask(null);
    this.#corners.remove();
    this.#chart.destroy();
  }

  #want(moving = false): void {
    if (this.#width === 0) return;
    const { logX } = this.#options;
    const smoothing = this.#margins === null ? this.#options.smoothing : 0;
    const px = logX ? MAX_PX : this.#width * Math.min(2, devicePixelRatio);
    const view = useView.getState();
    const zoom = boxOf(view, this.#tag)?.x ?? view.zoom;
    this.#sources.update({ zoom, px, smoothing: smoothing ?? undefined, logX }, moving);
  }

  #delivered(): void {
    if (useView.getState().zoom === null) this.#noteFirstWalls();
    this.#render();
    const { lines } = this;
    const { complete, error } = this.#sources;
    if (error && !complete && lines.length === 0) this.#setState("error", error);
    else if (!complete) this.#setState("loading");
    else if (lines.length === 0) this.#setState("empty");
    // With points available the card is ready once they are drawn.
    else if (this.#state !== "ready") this.#setState("loading");
    this.#events.onPoints?.();
  }

  /** Only for visible cards, if the chart may lack the step. */
  #askPinned(): void {
    const { axis, pin } = useView.getState();
    const thinned = this.lines.some(({ points }) => !points.raw);
    const wanted = pin !== null && axis === "step" && thinned && this.#chart.priority === "visible";
    const smoothing = this.#margins === null ? (this.#options.smoothing ?? undefined) : 0;
    this.#pinned.ask(wanted ? { step: pin.step, parts: this.#parts, smoothing } : null);
  }

  #pinnedDelivered(): void {
    this.#summarise(useInteraction.getState());
    if (this.#keptTip !== null)
      tip().retell(
        this.#contentOf({ ...this.#keptTip, rows: this.#very(this.#keptTip.rows, this.#keptTip.x) }),
        this.#elements.card,
      );
    this.#events.onPoints?.();
  }

  /**
   * The values of all lines, or of one run, at a position: exact at the pinned step, otherwise the nearest drawn
   * ones.
   */
  #rowsAt(x: number, run: number | null = null): Row[] {
    return this.#very(this.#chart.valuesAt(x, run), x);
  }

  #nearRows(x: number): Row[] {
    const { xmin, xmax } = this.#chart.stats;
    return this.#rowsAt(x).filter((row) => Math.abs(row.x - x) <= NEAR_X * (xmax - xmin));
  }

  #very(rows: readonly Row[], x: number): Row[] {
    const { axis, pin } = useView.getState();
    const lines = axis === "step" && x === pin?.step ? this.#pinned.lines : [];
    return lines.length === 0 ? [...rows] : withExactPoints(rows, this.#series(lines), x, this.#smoothing());
  }

  #noteFirstWalls(): void {
    if (useView.getState().axis !== "step") return;
    for (const { lineStyle, points } of this.lines) {
      if (points.aux && points.aux.length > 0) this.#firstWall.set(lineStyle.id, points.aux[0]!);
    }
  }

  #render(): void {
    if (this.#width === 0) return;
    const view = useView.getState();
    this.#askPinned();
    const { logY, logX, ignoreOutliers, y, labels } = this.#options;
    const box = boxOf(view, this.#tag);
    const range = box?.x ?? view.zoom;
    const height = box?.y ?? y;
    this.#chart.set({
      series: this.#series(this.#sources.lines),
      axis: view.axis,
      xRange: range && [range[0], range[1]],
      yRange: height && [height[0], height[1]],
      logY,
      logX,
      labels,
      ignoreOutliers,
      smoothing: this.#smoothing(),
      highlighted: this.#front,
      theme: this.#theme,
      words: chartWords(),
    });
    this.#placeMarks(view);
    this.#moveCursor(useInteraction.getState());
  }

  /** Lines with bands from other tags are not smoothed, as their bands are not. */
  #smoothing(): number {
    if (this.#margins !== null) return 0;
    return this.#options.smoothing ?? useView.getState().smoothing;
  }

  #series(lines: readonly Line[]) {
    const buildSeries = { scheme: currentColorScheme(), names: this.#names, smoothing: this.#smoothing() };
    if (this.#margins === null)
      return lines.map((line) =>
        this.#seriesBuilder.buildSeries(line, buildSeries, this.#baseOf(line, lines)),
      );
    const tipRows = lines.map((line) => ({
      tag: line.tag,
      series: this.#seriesBuilder.buildSeries(line, buildSeries, null),
    }));
    return withBands(tipRows, this.#margins);
  }

  /** The baseline of a line. */
  #baseOf({ tag }: Line, lines: readonly Line[]): Line["points"] | null {
    const { baseline } = this.#options;
    if (baseline === null) return null;
    return lines.find((line) => line.tag === tag && line.lineStyle.name === baseline)?.points ?? null;
  }

  #viewChanged(view: View, before: View): void {
    const moved = view.zoom !== before.zoom || view.boxes !== before.boxes;
    if (moved) this.#want(isZooming());
    const others = view.axis !== before.axis || view.smoothing !== before.smoothing;
    if (moved || others || view.xTag !== before.xTag) this.#render();
    else if (view.pin !== before.pin || view.range !== before.range) {
      this.#askPinned();
      this.#placeMarks(view);
      this.#moveCursor(useInteraction.getState());
    }
  }

  #interactionChanged(interaction: Interaction, before: Interaction): void {
    if (interaction.cursor !== before.cursor) this.#moveCursor(interaction);
    const front = this.#frontOf(interaction);
    if (front !== this.#frontOf(before) || front !== this.#front) this.#bringForward(front);
  }

  /** A chart under the pointer highlights its own lines; the table those of all charts. */
  #frontOf(interaction: Interaction): number | null {
    const elsewhere = interaction.source === "chart" && interaction.cursor?.tag !== this.#tag;
    const run = elsewhere ? interaction.heldRun : highlighted(interaction);
    return run !== null && this.#runs.has(run) ? run : null;
  }

  #bringForward(front: number | null): void {
    clearTimeout(this.#resting);
    const apply = () => {
      this.#front = front;
      this.#chart.setHighlight(front);
      this.#summarise(useInteraction.getState());
    };
    if (this.#chart.stats.drawMs <= QUICK_DRAW_MS) apply();
    else this.#resting = setTimeout(apply, REST_MS);
  }

  #moveCursor(interaction: Interaction): void {
    this.#chart.setCursor(interaction.cursor?.x ?? null, this.#pinX, this.#rangeX);
    this.#summarise(interaction);
  }

  #pointed(x: number | null, where: Point | null, run: number | null, tag: string | null): void {
    this.#nearest = run === null ? null : { run, tag };
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
    tip().show(this.#contentOf(reading), where, this.#elements.card);
  }

  #read(x: number): TipInput {
    const { axis, xTag, baseline } = useView.getState();
    const { xmin, xmax, ymin, ymax } = this.#chart.stats;
    const span = xmax - xmin;
    const digits = digitsWithin([ymin, ymax]);
    const rows = this.#rowsAt(x);
    const ranks = new Map(rows.map((row) => [row, this.#rank(row, x, span)]));
    rows.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
    const about = {
      scheme: currentColorScheme(),
      runs: this.#runs,
      firstWall: this.#firstWall,
      names: this.#names,
    };
    return { ...about, axis, xTag, x, span, digits, rows, baseline };
  }

  /** The run with the nearest line comes first, then the others by distance; those without a point near x last. */
  #rank(row: Row, x: number, span: number): number {
    const near = this.#nearest;
    if (row.run === near?.run && (near.tag === null || near.tag === row.tag)) return -1;
    return Math.abs(row.x - x) <= NEAR_X * span ? row.dist : FAR_RANK + row.dist;
  }

  #zoom(zoom: Zoom | null, final: boolean): void {
    if (zoom === null) zoomBack();
    else if (zoom.y === null) zoomAll(zoom.x, final);
    else zoomCard({ tag: this.#tag, x: zoom.x, y: zoom.y }, final);
  }

  /** The tooltip of a pinned step stays beside the pointer. */
  #pin(x: number, extend: boolean, where: Point | null): void {
    const reading = this.#read(x);
    const { axis, rows } = reading;
    const row = rows[0];
    const step = axis === "step" ? x : row?.aux;
    const run = row && this.#runs.get(row.run)?.name;
    if (step === null || step === undefined || run === undefined) return;
    if (extend) extendPin({ run, step });
    else togglePinned({ run, step });
    const { pin } = useView.getState();
    if (!where || !pin || extend) return;
    this.#keptTip = { ...reading, rows: this.#very(rows, x) };
    tip().keep(this.#contentOf(this.#keptTip), where, this.#elements.card);
  }

  #contentOf(reading: TipInput): TipContent {
    const grouped = [...this.#runs.values()].some(({ members }) => members !== null);
    return tipContent(reading, useView.getState().tipSort, grouped ? "" : sharedByRuns());
  }

  #dragHandle(handle: Handle, x: number, final: boolean): void {
    const step = stepAt(this.lines, useView.getState().axis, x);
    if (step !== null) dragHandle(handle, step, final);
  }

  #placeMarks({ pin, range, axis }: View): void {
    const { lines } = this;
    // The ends of a range are marked already.
    const alone = pin !== null && !range?.includes(pin.step);
    this.#pinPlace = pin && xOfStep(lines, axis, pin.step, pin.run || null);
    this.#pinX = alone ? this.#pinPlace : null;
    this.#rangeX = xRangeOf(lines, axis, range, pin);
  }

  #summarise(interaction: Interaction): void {
    summarise(this.#summary, {
      interaction,
      view: useView.getState(),
      tag: this.#tag,
      lines: this.lines,
      front: (this.#front !== null && this.#runs.get(this.#front)) || null,
      pinX: this.#pinX,
      hasRange: this.#rangeX !== null,
      roomy: this.#width - (BUTTONS_STAY.matches ? BUTTONS_PX : 0) >= ROOM_FOR_TWO,
      names: this.#names,
      rowsAt: (x) => this.#nearRows(x),
      pointOf: (run, x) => this.#rowsAt(x, run)[0],
    });
  }

  #drawn(stats: ChartStats): void {
    const { lines } = this;
    const { complete } = this.#sources;
    writePointCounts(this.#elements.card, lines, stats);
    this.#corners.tell(stats);
    // What counts as near the pinned step depends on the view.
    if (this.#pinX !== null) this.#summarise(useInteraction.getState());
    if (complete && lines.length > 0) this.#setState("ready");
    this.#events.onFigures(pointCountsOf(lines, stats));
  }

  #setState(state: PlotState, error: Error | null = null): void {
    this.#elements.card.dataset.state = state;
    if (state === this.#state) return;
    this.#state = state;
    if (state === "ready") noteReady();
    this.#events.onState(state, error);
  }

  /** First called after the layout of the host: measuring it earlier would force a layout for each card. */
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

/** The page is ready when none of its cards is waiting any more. */
function noteReady(): void {
  const root = document.documentElement;
  const waiting = '[data-testid="card"][data-state="idle"], [data-testid="card"][data-state="loading"]';
  if (root.dataset.ready === undefined && !document.querySelector(waiting)) root.dataset.ready = "true";
}
