/**
 * Ties one chart to the page: points from the feed, view and scene by subscription, the tip, and the figures that
 * stand on the card as data attributes. React gives it elements and runs, and is told only of changes of state.
 */

import { shortNames } from "../../base/short-names";
import {
  Chart,
  type ChartStats,
  type ChartTheme,
  type ChartWords,
  digitsWithin,
  formatX,
  type Handle,
  type Row,
  type Zoom,
} from "../../chart";
import { type Feed, FINEST_PX } from "../../state/feed";
import { banded, type Margin } from "../../state/margins";
import { sharedByRuns } from "../../state/run-labels";
import { highlighted, hover, moveCursor, type Scene, useScene } from "../../state/scene";
import { currentShade, onShade } from "../../state/theme";
import { useView } from "../../state/view";
import type { Span, View } from "../../state/viewstate";
import { boxOf, gestureUnderWay, zoomAll, zoomBack, zoomCard } from "../../state/zoom";
import { onLanguage, say } from "../../words/words";
import { announce } from "./announce";
import { CornerButtons } from "./corner-buttons";
import { type Figures, figuresOf, tellFigures } from "./figures";
import { Dresser, type PlotRun } from "./look";
import { PinnedPoints, withVeryPoints } from "./pinned";
import { dragHandle, extendPin, togglePinned } from "./pinning";
import { placeOf, placeRange, stepAt } from "./places";
import { type Reading, sentence, tipContent } from "./reading";
import { chartTheme } from "./shade";
import { followSize } from "./size";
import { type Line, type Part, Sources } from "./sources";
import { runCount, summarise } from "./summarise";
import { Summary } from "./summary";
import { type TipContent, tip } from "./tip";
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
  /** Other points are here. */
  onPoints?(): void;
  /** Points that the range of y leaves out are to be seen. */
  onShowAll(): void;
}

/** What a card shows its lines with. */
export interface PlotOptions {
  logY: boolean;
  logX: boolean;
  ignoreOutliers: boolean;
  /** Null follows the page. */
  smoothing: number | null;
  /** A range of y chosen by hand. */
  y: Span | null;
  /** Name of the run that the values are measured from; null shows them as they are. */
  baseline: string | null;
  /** The lines are named at their ends. */
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

/** Cards that cannot be redrawn within half a frame wait until the pointer rests on a run. */
const QUICK_DRAW_MS = 8;
const REST_MS = 120;
/** Part of the view within which a point still belongs to the place pointed at. */
const NEAR_X = 0.03;
/** Two values, a step and most names stand whole in the head of a card from this width on. */
const ROOM_FOR_TWO = 345;
/** Where nothing hovers the buttons of a card are always in its head. */
const BUTTONS_STAY = matchMedia("(hover: none)");
const BUTTONS_PX = 120;
/** Beyond any distance in pixels. */
const FAR_RANK = 1e6;

export class Plot {
  readonly #tag: string;
  readonly #elements: PlotElements;
  readonly #events: PlotEvents;
  readonly #summary: Summary;
  readonly #corners: CornerButtons;
  readonly #chart: Chart;
  readonly #sources: Sources;
  readonly #pinned: PinnedPoints;
  readonly #dresser = new Dresser();
  readonly #stops: (() => void)[];
  readonly #firstWall = new Map<number, number>();
  readonly #runs = new Map<number, PlotRun>();
  #names: ReadonlyMap<string, string> | null = null;
  #parts: readonly Part[] = [];
  #margins: readonly Margin[] | null = null;
  #options = PLAIN;
  #theme: ChartTheme;
  /** What the tip of the pinned step was made of. */
  #kept: Reading | null = null;
  #nearest: { run: number; tag: string | null } | null = null;
  #front: number | null = null;
  #resting: ReturnType<typeof setTimeout> | undefined;
  /** Where the pinned step stands here. */
  #pinPlace: number | null = null;
  /** The same where it is marked: beside a range that does not end there. */
  #pinX: number | null = null;
  #rangeX: [number, number] | null = null;
  #state: PlotState = "idle";
  #width = 0;

  constructor(tag: string, feed: Feed, elements: PlotElements, events: PlotEvents) {
    this.#tag = tag;
    this.#elements = elements;
    this.#events = events;
    this.#sources = new Sources(feed, () => this.#delivered());
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
      followSize(elements.host, (size) => this.#resized(size)),
      useView.subscribe((view, before) => this.#viewChanged(view, before)),
      useScene.subscribe((scene, before) => this.#sceneChanged(scene, before)),
      onShade(() => this.#restyle()),
      onLanguage(() => this.#render()),
    ];
    this.#setState("idle");
  }

  /** The chart itself, for pictures of it. */
  get chart(): Chart {
    return this.#chart;
  }

  /** What is drawn as a line: edges of bands are not. */
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
    for (const { looks } of parts) for (const look of looks) this.#runs.set(look.id, look);
    const tags = margins === null ? parts.map(({ tag }) => tag) : margins.map(({ value }) => value);
    const short = shortNames(tags).each;
    this.#names = tags.length > 1 ? new Map(tags.map((tag, at) => [tag, short[at]!])) : null;
    this.#sources.setParts(parts);
    this.#want();
    // What was drawn may be there no more, with nothing new to wait for.
    if (this.#width > 0) this.#delivered();
  }

  setOptions(options: Partial<PlotOptions>): void {
    const before = this.#options;
    this.#options = { ...before, ...options };
    const { smoothing, logX } = this.#options;
    if (before.smoothing !== smoothing || before.logX !== logX) this.#want(true);
    this.#render();
  }

  /** Outside the window, kept ready for the next scroll. */
  setNear(near: boolean): void {
    this.#chart.priority = near ? "near" : "visible";
    this.#askPinned();
  }

  retry(): void {
    this.#sources.retry();
  }

  /** Moves the cursor by `points` of the data, as arrow keys do; infinite goes to an end. */
  step(points: number): void {
    tip().drop();
    const direction = points < 0 ? -1 : 1;
    let x = Number.isFinite(points) ? (useScene.getState().cursor?.x ?? this.#pinX) : null;
    const count = Number.isFinite(points) ? Math.abs(points) : 1;
    if (!Number.isFinite(points)) x = this.#chart.nextX(null, direction < 0 ? 1 : -1);
    else for (let i = 0; i < count; i++) x = this.#chart.nextX(x, direction) ?? x;
    if (x === null) return;
    const box = this.#elements.host.getBoundingClientRect();
    const front = highlighted(useScene.getState());
    this.#pointed(x, { x: box.left + box.width / 2, y: box.top + box.height / 2 }, front, null);
    announce(sentence(this.#read(x)));
  }

  /** Pins the step of the cursor, as a click does; `extend` as with Shift. */
  pinCursor(extend = false): void {
    const { cursor } = useScene.getState();
    if (cursor) this.#pin(cursor.x, extend, null);
  }

  leave(): void {
    this.#pointed(null, null, null, null);
  }

  /** What the chart shows, in a sentence, for those who do not see it. */
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

  /** What the lines say at the cursor, else at the pinned step, else at their ends. */
  rows(): { x: number | null; rows: readonly Row[] } {
    const x = useScene.getState().cursor?.x ?? this.#pinPlace;
    return { x, rows: this.#rowsAt(x ?? Number.POSITIVE_INFINITY) };
  }

  destroy(): void {
    if (useScene.getState().cursor?.tag === this.#tag) this.leave();
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
    const px = logX ? FINEST_PX : this.#width * Math.min(2, devicePixelRatio);
    const view = useView.getState();
    const zoom = boxOf(view, this.#tag)?.x ?? view.zoom;
    this.#sources.want({ zoom, px, smoothing: smoothing ?? undefined, logX }, moving);
  }

  #delivered(): void {
    if (useView.getState().zoom === null) this.#noteFirstWalls();
    this.#render();
    const { lines } = this;
    const { complete, error } = this.#sources;
    if (error && !complete && lines.length === 0) this.#setState("error", error);
    else if (!complete) this.#setState("loading");
    else if (lines.length === 0) this.#setState("empty");
    // With points on hand the card is ready once they are drawn.
    else if (this.#state !== "ready") this.#setState("loading");
    this.#events.onPoints?.();
  }

  /** Only of cards in sight, and where the chart itself may lack the step. */
  #askPinned(): void {
    const { axis, pin } = useView.getState();
    const thinned = this.lines.some(({ points }) => !points.raw);
    const wanted = pin !== null && axis === "step" && thinned && this.#chart.priority === "visible";
    const smoothing = this.#margins === null ? (this.#options.smoothing ?? undefined) : 0;
    this.#pinned.ask(wanted ? { step: pin.step, parts: this.#parts, smoothing } : null);
  }

  #pinnedDelivered(): void {
    this.#summarise(useScene.getState());
    if (this.#kept !== null)
      tip().retell(
        this.#contentOf({ ...this.#kept, rows: this.#very(this.#kept.rows, this.#kept.x) }),
        this.#elements.card,
      );
    this.#events.onPoints?.();
  }

  /** What each line says at a place, or one of them: at the pinned step the very point, elsewhere the nearest drawn. */
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
    return lines.length === 0 ? [...rows] : withVeryPoints(rows, this.#series(lines), x, this.#smoothing());
  }

  #noteFirstWalls(): void {
    if (useView.getState().axis !== "step") return;
    for (const { look, points } of this.lines) {
      if (points.aux && points.aux.length > 0) this.#firstWall.set(look.id, points.aux[0]!);
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
    this.#moveCursor(useScene.getState());
  }

  /** The edges of a band would not lie around a smoothed line. */
  #smoothing(): number {
    if (this.#margins !== null) return 0;
    return this.#options.smoothing ?? useView.getState().smoothing;
  }

  #series(lines: readonly Line[]) {
    const dress = { shade: currentShade(), names: this.#names, smoothing: this.#smoothing() };
    if (this.#margins === null)
      return lines.map((line) => this.#dresser.dress(line, dress, this.#baseOf(line, lines)));
    const told = lines.map((line) => ({
      tag: line.tag,
      series: this.#dresser.dress(line, dress, null),
    }));
    return banded(told, this.#margins);
  }

  /** The line that the values of another are measured from. */
  #baseOf({ tag }: Line, lines: readonly Line[]): Line["points"] | null {
    const { baseline } = this.#options;
    if (baseline === null) return null;
    return lines.find((line) => line.tag === tag && line.look.name === baseline)?.points ?? null;
  }

  #viewChanged(view: View, before: View): void {
    const moved = view.zoom !== before.zoom || view.boxes !== before.boxes;
    if (moved) this.#want(gestureUnderWay());
    const others = view.axis !== before.axis || view.smoothing !== before.smoothing;
    if (moved || others || view.xTag !== before.xTag) this.#render();
    else if (view.pin !== before.pin || view.range !== before.range) {
      this.#askPinned();
      this.#placeMarks(view);
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
    this.#chart.setCursor(scene.cursor?.x ?? null, this.#pinX, this.#rangeX);
    this.#summarise(scene);
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

  #read(x: number): Reading {
    const { axis, xTag, baseline } = useView.getState();
    const { xmin, xmax, ymin, ymax } = this.#chart.stats;
    const span = xmax - xmin;
    const digits = digitsWithin([ymin, ymax]);
    const rows = this.#rowsAt(x);
    const ranks = new Map(rows.map((row) => [row, this.#rank(row, x, span)]));
    rows.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
    const about = { shade: currentShade(), runs: this.#runs, firstWall: this.#firstWall, names: this.#names };
    return { ...about, axis, xTag, x, span, digits, rows, baseline };
  }

  /** The run whose line is nearest comes first, then the others by distance; those with no point near x at the end. */
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

  /** What is said at a pinned step stays beside the pointer, if one pinned it. */
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
    this.#kept = { ...reading, rows: this.#very(rows, x) };
    tip().keep(this.#contentOf(this.#kept), where, this.#elements.card);
  }

  #contentOf(reading: Reading): TipContent {
    const grouped = [...this.#runs.values()].some(({ members }) => members !== null);
    return tipContent(reading, useView.getState().tipSort, grouped ? "" : sharedByRuns());
  }

  #dragHandle(handle: Handle, x: number, final: boolean): void {
    const step = stepAt(this.lines, useView.getState().axis, x);
    if (step !== null) dragHandle(handle, step, final);
  }

  #placeMarks({ pin, range, axis }: View): void {
    const { lines } = this;
    // The ends of a range stand for themselves.
    const alone = pin !== null && !range?.includes(pin.step);
    this.#pinPlace = pin && placeOf(lines, axis, pin.step, pin.run || null);
    this.#pinX = alone ? this.#pinPlace : null;
    this.#rangeX = placeRange(lines, axis, range, pin);
  }

  #summarise(scene: Scene): void {
    summarise(this.#summary, {
      scene,
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
    tellFigures(this.#elements.card, lines, stats);
    this.#corners.tell(stats);
    // What lies near the pinned step goes by how much is in view.
    if (this.#pinX !== null) this.#summarise(useScene.getState());
    if (complete && lines.length > 0) this.#setState("ready");
    this.#events.onFigures(figuresOf(lines, stats));
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
