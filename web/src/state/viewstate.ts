/**
 * The view as an address, and back. Only what differs from the defaults is written; names and forms of TensorBoard's
 * links are read for ever. Pure: the fields stand in `viewfields.ts`, the history belongs to `view.ts`.
 */

import type { Theme } from "../base/shade";
import type { Language } from "../words/words";
import { DEFAULT_HPARAMS, type HparamsView } from "./hparamsview";
import { DEFAULT_MESH, type MeshView } from "./meshview";
import { DEFAULT_PROJECTOR, type ProjectorView } from "./projectorview";
import { decode, encode, listed, names, pairs, type Span } from "./viewcodec";
import { FIELD_NAMES, FIELDS, type Field, type FieldName } from "./viewfields";
import { parseSelectionState } from "./viewlegacy";

export { CARD_KINDS, MAX_BRIGHTNESS, MAX_CONTRAST, MAX_SMOOTHING } from "./viewfields";
export type { Span };

/** What stands on the x axis; `tag` is another tag of the same run, paired by step. */
export type Axis = "step" | "relative" | "wall" | "tag";
export type { Theme };
export type CardHeight = "small" | "normal" | "tall";
export type PrMode = "pr" | "roc" | "threshold";
export type TextMode = "markdown" | "raw" | "diff";
export type ImageMode = "grid" | "film" | "compare";
export type ImageSize = "small" | "normal" | "large";
export type ImageBlend = "wipe" | "blink" | "difference" | "side";
/** Kinds that stand as cards on Time Series. */
export type CardKind = "scalars" | "images" | "histograms";
export type HistogramMode = "heatmap" | "offset" | "overlay" | "percentiles";
export type TipSort = "nearest" | "descending" | "ascending" | "alphabetical" | "default";

/** Which runs are drawn: a base and the names that differ from it. `default` is all, or the latest of very many. */
export interface Shown {
  base: "default" | "all" | "none";
  shown: readonly string[];
  hidden: readonly string[];
}

/** A step chosen by a click, on the run whose point was nearest. */
export interface Pin {
  /** Empty where the step was chosen for all runs, as by a slider. */
  run: string;
  step: number;
}

/** A box drawn on one card: its own range of x and y. */
export interface Box {
  tag: string;
  x: Span;
  y: Span;
}

/** What one card has for itself; what is absent follows the page. */
export interface CardView {
  tag: string;
  logY?: boolean;
  logX?: boolean;
  ignoreOutliers?: boolean;
  smoothing?: number;
  /** Range of y chosen by hand. */
  y?: Span;
  wide?: boolean;
  /** Differences from the baseline run instead of values. */
  baseline?: boolean;
}

/**
 * Runs drawn together. `by` is "name:<regex>" (its first capture group, else its match, names the group),
 * "config:<key>" or "folder".
 */
export interface Grouping {
  by: string;
  statistic: "mean" | "median";
  band: "none" | "sd" | "se" | "minmax";
  /** Single runs are drawn as well, faintly. */
  members: boolean;
}

export interface SortBy {
  column: string;
  down: boolean;
}

export interface View {
  page: string;
  /** What the page is about: the name of a run on `#run/<name>`. */
  subject: string;
  tagFilter: string;
  runFilter: string;
  smoothing: number;
  axis: Axis;
  /** The tag on the x axis when `axis` is "tag". */
  xTag: string;
  /** x range of all charts, in units of `axis`. */
  zoom: Span | null;
  /** Cards zoomed for themselves. */
  boxes: readonly Box[];
  logY: boolean;
  logX: boolean;
  ignoreOutliers: boolean;
  /** Cards in a row; 0 chooses by width. */
  columns: number;
  cardHeight: CardHeight;
  /** Tags of the pinned cards, in order. */
  pinned: readonly string[];
  /** Tags drawn in one card; the first names it. */
  joined: readonly (readonly string[])[];
  cards: readonly CardView[];
  runs: Shown;
  grouping: Grouping | null;
  /** "run", "group", "regex:<re>", "config:<key>" or "metric:<tag>:<stat>". */
  colorBy: string;
  /** Columns of the run table: "config:lr", "metric:eval/loss:min", "info:status"; empty is the usual choice. */
  table: readonly string[];
  sort: readonly SortBy[];
  /** Runs in folders; null chooses by their number. */
  tree: boolean | null;
  /** Name of the run that differences are measured from. */
  baseline: string | null;
  /** Names of the runs that stay on top of the table. */
  runPins: readonly string[];
  pin: Pin | null;
  /** Chosen steps, for statistics; null is everything. */
  range: Span | null;
  /** Names of the compared runs; empty is those on show. */
  compare: readonly string[];
  /** Most rows of the tip; 0 is all. */
  tipRows: number;
  tipSort: TipSort;
  /** Links to the data of each card are shown. */
  links: boolean;
  /** How PR curves are drawn. */
  prMode: PrMode;
  /** Lines of equal F1 behind them. */
  isoF1: boolean;
  /** From 0 to 1 instead of where the curves are. */
  unitScale: boolean;
  /** A threshold chosen by a click, from 0 to 1. */
  threshold: number | null;
  hparams: HparamsView;
  projector: ProjectorView;
  mesh: MeshView;
  /** Runs beside each other at the step, all steps of each run, or two images against each other. */
  imageMode: ImageMode;
  imageSize: ImageSize;
  /** A pixel of an image is a pixel of the page. */
  trueSize: boolean;
  /** 1 leaves images as they are; to 2 and to 5, as in TensorBoard. */
  brightness: number;
  contrast: number;
  imageBlend: ImageBlend;
  /** What is compared: run and step of either side (see `panels/images/sides.ts`); empty chooses. */
  imageSides: readonly string[];
  /** How texts are shown; "diff" marks what changed word by word. */
  textMode: TextMode;
  /** Name of the run that texts are compared with; empty is the step before. */
  textAgainst: string;
  /** All steps below each other instead of one. */
  textSteps: boolean;
  /** What is looked for in the texts of all steps: a word, or `/a regular expression/`. */
  textSearch: string;
  /** Kinds of cards on Time Series; empty is all. */
  cardKinds: readonly CardKind[];
  histogramMode: HistogramMode;
  /** Values of histograms without the outermost half percent of their mass at either end, or all of them. */
  histogramRange: "robust" | "full";
  /** The runs of a tag have one range of values. */
  sharedRange: boolean;
  /** Counts of histograms by their logarithm. */
  logCount: boolean;
  theme: Theme;
  /** Null follows the browser. */
  language: Language | null;
}

export const DEFAULT_PAGE = "timeseries";
export const ALL_DEFAULT: Shown = { base: "default", shown: [], hidden: [] };

export const DEFAULT_VIEW: View = {
  page: DEFAULT_PAGE,
  subject: "",
  tagFilter: "",
  runFilter: "",
  smoothing: 0.6,
  axis: "step",
  xTag: "",
  zoom: null,
  boxes: [],
  logY: false,
  logX: false,
  ignoreOutliers: true,
  columns: 0,
  cardHeight: "normal",
  pinned: [],
  joined: [],
  cards: [],
  runs: ALL_DEFAULT,
  grouping: null,
  colorBy: "run",
  table: [],
  sort: [],
  tree: null,
  baseline: null,
  runPins: [],
  pin: null,
  range: null,
  compare: [],
  tipRows: 5,
  tipSort: "nearest",
  links: false,
  prMode: "pr",
  isoF1: true,
  unitScale: false,
  threshold: null,
  hparams: DEFAULT_HPARAMS,
  projector: DEFAULT_PROJECTOR,
  mesh: DEFAULT_MESH,
  imageMode: "grid",
  imageSize: "normal",
  trueSize: false,
  brightness: 1,
  contrast: 1,
  imageBlend: "wipe",
  imageSides: [],
  textMode: "markdown",
  textAgainst: "",
  textSteps: false,
  textSearch: "",
  cardKinds: [],
  histogramMode: "heatmap",
  histogramRange: "robust",
  sharedRange: true,
  logCount: false,
  theme: "system",
  language: null,
};

type Query = ReadonlyMap<string, string>;

/** The names of the three parts of `runs` in the address. */
const BASE = "runs";
const SHOWN = "show";
const HIDDEN = "hide";
const SELECTION_STATE = "runSelectionState";

/** Reads an address. What is missing or senseless takes its default; unknown names are left alone. */
export function parseView(search: string, hash: string): View {
  const [page = "", asked = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [path = "", ...legacy] = page.split("&");
  const query = new Map([...pairs(legacy.join("&")), ...comparedRuns(asked), ...pairs(search)]);
  const view: View = { ...DEFAULT_VIEW, ...parsePath(path), runs: parseShown(query) };
  if (path === "distributions") view.histogramMode = "percentiles";
  for (const name of FIELD_NAMES) readField(view, name, query);
  return view;
}

/** `#compare?runs=a,b` says of the page what the query says of the view. */
function comparedRuns(asked: string): [string, string][] {
  return [...pairs(asked)].map(([key, value]) => [key === BASE ? "compare" : key, value]);
}

function readField<Name extends FieldName>(view: View, name: Name, query: Query): void {
  const field: Field<View[Name]> = FIELDS[name];
  const ways = field.names.map((key) => [key, field.parse] as const);
  for (const [key, parse] of [...ways, ...Object.entries(field.legacy ?? {})]) {
    const text = query.get(key);
    const value = text === undefined ? undefined : parse(text);
    if (value !== undefined) {
      view[name] = value;
      return;
    }
  }
}

/** The address of a view, without the path: `?smoothing=0.9#timeseries`. `kept` is a query whose other names stay. */
export function printView(view: View, kept = ""): string {
  const parts: string[] = [];
  for (const [key, value] of pairs(kept)) if (!isOurs(key)) parts.push(`${key}=${encode(value)}`);
  for (const name of FIELD_NAMES) {
    const text = printField(view, name);
    if (text !== null) parts.push(`${FIELDS[name].names[0]}=${encode(text)}`);
  }
  if (view.runs.base !== "default") parts.push(`${BASE}=${view.runs.base}`);
  if (view.runs.shown.length > 0) parts.push(`${SHOWN}=${encode(listed(view.runs.shown))}`);
  if (view.runs.hidden.length > 0) parts.push(`${HIDDEN}=${encode(listed(view.runs.hidden))}`);
  const subject = view.subject === "" ? "" : `/${encode(view.subject)}`;
  return `${parts.length > 0 ? `?${parts.join("&")}` : ""}#${encode(view.page)}${subject}`;
}

function printField<Name extends FieldName>(view: View, name: Name): string | null {
  const field: Field<View[Name]> = FIELDS[name];
  const text = field.print(view[name]);
  return text === field.print(DEFAULT_VIEW[name]) ? null : text;
}

function isOurs(key: string): boolean {
  if ([BASE, SHOWN, HIDDEN, SELECTION_STATE].includes(key)) return true;
  return FIELD_NAMES.some((name) => FIELDS[name].names.includes(key) || key in (FIELDS[name].legacy ?? {}));
}

function parsePath(path: string): Pick<View, "page" | "subject"> {
  const slash = path.indexOf("/");
  const page = decode(slash < 0 ? path : path.slice(0, slash));
  const subject = slash < 0 ? "" : decode(path.slice(slash + 1));
  // The old Scalars page is a way of looking at Time Series.
  if (page === "" || page === "scalars") return { page: DEFAULT_PAGE, subject: "" };
  // And Distributions one of looking at histograms.
  if (page === "distributions") return { page: "histograms", subject: "" };
  return { page, subject };
}

function parseShown(query: Query): Shown {
  const legacy = query.get(SELECTION_STATE);
  const base = query.get(BASE);
  return {
    base: base === "all" || base === "none" ? base : "default",
    shown: names(query.get(SHOWN)),
    hidden: names(query.get(HIDDEN)).concat(legacy === undefined ? [] : parseSelectionState(legacy)),
  };
}
