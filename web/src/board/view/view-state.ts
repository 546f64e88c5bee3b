/** The view: what an address of the board stores, and its defaults. `view-address.ts` reads and writes addresses. */

import type { Language } from "../../i18n/words";
import type { Theme } from "../../lib/color-scheme";
import { DEFAULT_GRAPHS, type GraphsView } from "./graphs-view";
import { DEFAULT_HPARAMS, type HparamsView } from "./hparams-view";
import { DEFAULT_MESH, type MeshView } from "./mesh-view";
import { DEFAULT_PROFILE, type ProfileView } from "./profile-view";
import { DEFAULT_PROJECTOR, type ProjectorView } from "./projector-view";
import type { Span } from "./view-codec";

export type { Span };

/** The x axis; `tag` is another tag of the same run, matched by step. */
export type Axis = "step" | "relative" | "wall" | "tag";
export type { Theme };
/** Which of the points of a series that share a step are drawn. */
export type Repeats = "all" | "last";
export type CardHeight = "small" | "normal" | "tall";
export type PrMode = "pr" | "roc" | "threshold";
export type TextMode = "markdown" | "raw" | "diff";
export type ImageMode = "grid" | "film" | "compare";
export type ImageSize = "small" | "normal" | "large";
export type ImageBlend = "wipe" | "blink" | "difference" | "side";
/** Kinds shown as cards on Time Series. */
export type CardKind = "scalars" | "images" | "histograms";
export type HistogramMode = "heatmap" | "offset" | "overlay" | "percentiles";
export type TipSort = "nearest" | "descending" | "ascending" | "alphabetical" | "default";

/**
 * Which runs are drawn: a base, and the names that differ from it. `default` is all runs, or the latest if there are
 * very many.
 */
export interface RunSelection {
  base: "default" | "all" | "none";
  shown: readonly string[];
  hidden: readonly string[];
}

/** A step pinned by a click, with the run whose point was nearest. */
export interface Pin {
  /** Empty if the step was chosen for all runs, as by a slider. */
  run: string;
  step: number;
}

/** A zoom of one card: its own range of x and y. */
export interface Box {
  tag: string;
  x: Span;
  y: Span;
}

/** Settings of one card; absent fields follow the page. */
export interface CardView {
  tag: string;
  logY?: boolean;
  logX?: boolean;
  ignoreOutliers?: boolean;
  smoothing?: number;
  /** Range of y that the user set. */
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
  /** Also draw the single runs, faintly. */
  members: boolean;
}

export interface SortBy {
  column: string;
  down: boolean;
}

export interface View {
  page: string;
  /** The subject of the page: the name of a run on `#run/<name>`. */
  subject: string;
  tagFilter: string;
  runFilter: string;
  smoothing: number;
  axis: Axis;
  /** The tag on the x axis when `axis` is "tag". */
  xTag: string;
  /** x range of all charts, in units of `axis`. */
  zoom: Span | null;
  /** Zooms of single cards. */
  boxes: readonly Box[];
  logY: boolean;
  logX: boolean;
  repeats: Repeats;
  ignoreOutliers: boolean;
  /** Cards per row; 0 chooses by width. */
  columns: number;
  cardHeight: CardHeight;
  /** Tags of the pinned cards, in order. */
  pinned: readonly string[];
  /** Tags joined in one card; the first names it. */
  joined: readonly (readonly string[])[];
  cards: readonly CardView[];
  runs: RunSelection;
  grouping: Grouping | null;
  /** "run", "group", "regex:<re>", "config:<key>" or "metric:<tag>:<stat>". */
  colorBy: string;
  /** Columns of the run table: "config:lr", "metric:eval/loss:min", "info:status"; empty is the usual choice. */
  table: readonly string[];
  sort: readonly SortBy[];
  /** Show runs in folders; null decides by their number. */
  tree: boolean | null;
  /** Name of the run that differences are measured from. */
  baseline: string | null;
  /** Names of the pinned runs, which stay on top of the table. */
  runPins: readonly string[];
  pin: Pin | null;
  /** Selected range of steps, for statistics; null is everything. */
  range: Span | null;
  /** Names of the compared runs; empty for the visible ones. */
  compare: readonly string[];
  /** Maximum number of rows in the tooltip; 0 is all. */
  tipRows: number;
  tipSort: TipSort;
  /** Show links to the data of each card. */
  links: boolean;
  /** How PR curves are drawn. */
  prMode: PrMode;
  /** Show lines of equal F1. */
  isoF1: boolean;
  /** Scale from 0 to 1 instead of to the curves. */
  unitScale: boolean;
  /** The marked threshold, from 0 to 1. */
  threshold: number | null;
  hparams: HparamsView;
  projector: ProjectorView;
  mesh: MeshView;
  graphs: GraphsView;
  profile: ProfileView;
  /** Runs side by side at the step, all steps of each run, or a comparison of two images. */
  imageMode: ImageMode;
  imageSize: ImageSize;
  /** Show images at their size in pixels. */
  trueSize: boolean;
  /** 1 is unchanged; up to 2 and 5, as in TensorBoard. */
  brightness: number;
  contrast: number;
  imageBlend: ImageBlend;
  /** Run and step of either side of a comparison (see `images/compare-sides.ts`); empty chooses. */
  imageSides: readonly string[];
  /** How texts are shown; "diff" marks changed words. */
  textMode: TextMode;
  /** Name of the run that texts are compared with; empty for the previous step. */
  textAgainst: string;
  /** Show all steps below each other instead of one. */
  textSteps: boolean;
  /** The search in texts of all steps: a word, or `/a regular expression/`. */
  textSearch: string;
  /** Kinds of cards on Time Series; empty is all. */
  cardKinds: readonly CardKind[];
  histogramMode: HistogramMode;
  /** The value range of histograms: without the outermost half percent at either end, or complete. */
  histogramRange: "robust" | "full";
  /** Use one value range for all runs of a tag. */
  sharedRange: boolean;
  /** Scale counts logarithmically. */
  logCount: boolean;
  theme: Theme;
  /** Null follows the browser. */
  language: Language | null;
}

export const DEFAULT_PAGE = "timeseries";
export const ALL_DEFAULT: RunSelection = { base: "default", shown: [], hidden: [] };

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
  repeats: "all",
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
  graphs: DEFAULT_GRAPHS,
  profile: DEFAULT_PROFILE,
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

export const MAX_SMOOTHING = 0.999;

export const MAX_BRIGHTNESS = 2;

export const MAX_CONTRAST = 5;

/** Kinds of cards on Time Series, in the order of the toggle. */
export const CARD_KINDS: readonly CardKind[] = ["scalars", "images", "histograms"];
