/**
 * How each field of a view is written in the address: one table of names, parsers and printers. The first name is
 * written; `legacy` names are only read. Pure: `view-address.ts` writes the whole address.
 */

import type { Language } from "../../i18n/words";
import { fromAddress, toAddress } from "../../lib/pattern";
import { parseGraphs, printGraphs } from "./graphs-view";
import { parseHparams, printHparams } from "./hparams-view";
import { parseMesh, printMesh } from "./mesh-view";
import { parseProfile, printProfile } from "./profile-view";
import { parseProjector, printProjector } from "./projector-view";
import { decode, flag, inner, listed, names, number, parsePinnedCards, span, spanText } from "./view-codec";
import {
  type Axis,
  type Box,
  CARD_KINDS,
  type CardKind,
  type CardView,
  type Grouping,
  MAX_BRIGHTNESS,
  MAX_CONTRAST,
  MAX_SMOOTHING,
  type Pin,
  type SortBy,
  type Theme,
  type View,
} from "./view-state";

export interface Field<Value> {
  /** Names that are read; the first one is also written. */
  names: readonly string[];
  /** Undefined if the text is not valid. */
  parse(text: string): Value | undefined;
  /** Empty to leave it out. */
  print(value: Value): string;
  /** Names used by other products, with their own format. */
  legacy?: Readonly<Record<string, (text: string) => Value | undefined>>;
}

/** Fields in the path or in several names are written by `view-address.ts`. */
export type FieldName = Exclude<keyof View, "page" | "subject" | "runs">;

const MAX_COLUMNS = 6;
const MAX_TIP_ROWS = 50;

export const FIELDS: { readonly [Name in FieldName]: Field<View[Name]> } = {
  tagFilter: { names: ["tagFilter"], parse: fromAddress, print: toAddress },
  runFilter: { names: ["runFilter", "regexInput"], parse: fromAddress, print: toAddress },
  smoothing: { names: ["smoothing", "_smoothingWeight"], parse: parseSmoothing, print: String },
  axis: { names: ["axis", "_xType"], parse: parseAxis, print: (axis) => axis },
  xTag: text("xTag"),
  zoom: { names: ["zoom"], parse: span, print: spanText },
  boxes: { names: ["box"], parse: parseBoxes, print: printBoxes },
  logY: { names: ["log"], parse: flag, print: String },
  logX: { names: ["logX"], parse: flag, print: String },
  ignoreOutliers: { names: ["ignoreOutliers", "_ignoreYOutliers"], parse: flag, print: String },
  repeats: choice("repeats", ["all", "last"]),
  columns: { names: ["columns"], parse: (given) => whole(given, 1, MAX_COLUMNS), print: String },
  cardHeight: choice("height", ["small", "normal", "tall"]),
  pinned: { ...list("pinned"), legacy: { pinnedCards: parsePinnedCards } },
  joined: { names: ["join"], parse: parseJoined, print: printJoined },
  cards: { names: ["cards"], parse: parseCards, print: printCards },
  grouping: { names: ["group"], parse: parseGrouping, print: printGrouping },
  colorBy: { names: ["runColorGroup"], parse: parseColorBy, print: (by) => by },
  table: list("table"),
  sort: { names: ["sort"], parse: parseSort, print: printSort },
  tree: { names: ["tree"], parse: flag, print: (tree) => (tree === null ? "" : String(tree)) },
  baseline: { names: ["baseline"], parse: (name) => name || undefined, print: (name) => name ?? "" },
  runPins: list("runPins"),
  pin: { names: ["pin"], parse: parsePin, print: (pin) => (pin ? `${pin.step},${pin.run}` : "") },
  range: { names: ["range"], parse: span, print: spanText },
  compare: list("compare"),
  tipRows: { names: ["tipRows"], parse: (given) => whole(given, 0, MAX_TIP_ROWS), print: String },
  tipSort: choice("tipSort", ["nearest", "descending", "ascending", "alphabetical", "default"]),
  links: { names: ["links", "_showDownloadLinks"], parse: flag, print: String },
  prMode: choice("curves", ["pr", "roc", "threshold"]),
  isoF1: { names: ["isoF1"], parse: flag, print: String },
  unitScale: { names: ["unit"], parse: flag, print: String },
  threshold: { names: ["threshold"], parse: share, print: (at) => (at === null ? "" : String(at)) },
  hparams: { names: ["hparams"], parse: parseHparams, print: printHparams },
  mesh: { names: ["mesh"], parse: parseMesh, print: printMesh },
  graphs: { names: ["graphs"], parse: parseGraphs, print: printGraphs },
  profile: { names: ["profile"], parse: parseProfile, print: printProfile },
  projector: { names: ["projector"], parse: parseProjector, print: printProjector },
  imageMode: choice("images", ["grid", "film", "compare"]),
  imageSize: choice("imageSize", ["small", "normal", "large"]),
  trueSize: { names: ["trueSize"], parse: flag, print: String },
  brightness: { names: ["brightness"], parse: (given) => within(given, 0, MAX_BRIGHTNESS), print: String },
  contrast: { names: ["contrast"], parse: (given) => within(given, 0, MAX_CONTRAST), print: String },
  imageBlend: choice("blend", ["wipe", "blink", "difference", "side"]),
  imageSides: list("sides"),
  textMode: choice("text", ["markdown", "raw", "diff"]),
  textAgainst: text("against"),
  textSteps: { names: ["allSteps"], parse: flag, print: String },
  textSearch: text("find"),
  cardKinds: { names: ["kinds"], parse: parseCardKinds, print: listed },
  histogramMode: choice("histograms", ["heatmap", "offset", "overlay", "percentiles"]),
  histogramRange: choice("values", ["robust", "full"]),
  sharedRange: { names: ["sharedRange"], parse: flag, print: String },
  logCount: { names: ["logCount"], parse: flag, print: String },
  theme: { names: ["darkMode"], parse: parseTheme, print: printTheme },
  language: { names: ["lang"], parse: parseLanguage, print: (language) => language ?? "" },
};

export const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];

function text(name: string): Field<string> {
  return { names: [name], parse: (given) => given, print: (value) => value };
}

function list(name: string): Field<readonly string[]> {
  return { names: [name], parse: names, print: listed };
}

function choice<Value extends string>(name: string, values: readonly Value[]): Field<Value> {
  return {
    names: [name],
    parse: (given) => values.find((value) => value === given),
    print: (value) => value,
  };
}

function whole(given: string, least: number, most: number): number | undefined {
  const value = number(given);
  return value !== undefined && Number.isInteger(value) && value >= least && value <= most
    ? value
    : undefined;
}

function share(given: string): number | undefined {
  const value = number(given);
  return value !== undefined && value >= 0 && value <= 1 ? value : undefined;
}

function within(given: string, least: number, most: number): number | undefined {
  const value = number(given);
  return value !== undefined && value >= least && value <= most ? value : undefined;
}

/** An empty list means all kinds. */
function parseCardKinds(given: string): readonly CardKind[] | undefined {
  const chosen = names(given);
  const kinds = CARD_KINDS.filter((kind) => chosen.includes(kind));
  return kinds.length > 0 ? kinds : undefined;
}

function parseSmoothing(given: string): number | undefined {
  const value = number(given);
  return value === undefined ? undefined : Math.min(MAX_SMOOTHING, Math.max(0, value));
}

function parseAxis(given: string): Axis | undefined {
  const name = given.toLowerCase().replace(/^wall_?time$/, "wall");
  return name === "step" || name === "relative" || name === "wall" || name === "tag" ? name : undefined;
}

/** `x0,x1,y0,y1,tag`; several are joined like names. */
function printBoxes(boxes: readonly Box[]): string {
  return listed(boxes.flatMap(({ tag, x, y }) => [...x, ...y, tag].map(String)));
}

function parseBoxes(given: string): readonly Box[] | undefined {
  const parts = names(given);
  const boxes: Box[] = [];
  for (let at = 0; at + 5 <= parts.length; at += 5) {
    const x = span(parts.slice(at, at + 2).join());
    const y = span(parts.slice(at + 2, at + 4).join());
    if (x && y) boxes.push({ tag: parts[at + 4]!, x, y });
  }
  return boxes.length > 0 ? boxes : undefined;
}

/** `a;b,c;d`: the tags of a card joined by semicolons. */
function printJoined(cards: readonly (readonly string[])[]): string {
  return cards.map((tags) => tags.map(inner).join(";")).join(",");
}

function parseJoined(given: string): readonly (readonly string[])[] | undefined {
  const cards = given.split(",").map((card) => card.split(";").map(decode));
  const several = cards.filter((tags) => tags.length > 1);
  return several.length > 0 ? several : undefined;
}

const CARD_FLAGS = {
  logY: "log",
  logX: "logX",
  ignoreOutliers: "ignoreOutliers",
  wide: "wide",
  baseline: "baseline",
} as const;
type CardFlag = keyof typeof CARD_FLAGS;

/** `tag;log=true;y=0:1`, cards joined by commas. */
function printCards(cards: readonly CardView[]): string {
  return cards
    .map(printCard)
    .filter((card) => card.includes(";"))
    .join(",");
}

function printCard(card: CardView): string {
  const parts = [inner(card.tag)];
  for (const [key, name] of Object.entries(CARD_FLAGS)) {
    const value = card[key as CardFlag];
    if (value !== undefined) parts.push(`${name}=${value}`);
  }
  if (card.smoothing !== undefined) parts.push(`smoothing=${card.smoothing}`);
  if (card.y !== undefined) parts.push(`y=${card.y.join(":")}`);
  return parts.join(";");
}

function parseCards(given: string): readonly CardView[] | undefined {
  const cards = given.split(",").map(parseCard);
  const chosen = cards.filter((card) => Object.keys(card).length > 1);
  return chosen.length > 0 ? chosen : undefined;
}

function parseCard(given: string): CardView {
  const [tag = "", ...parts] = given.split(";");
  const fields = new Map(parts.map((part) => part.split("=", 2) as [string, string]));
  const card: CardView = { tag: decode(tag) };
  for (const [key, name] of Object.entries(CARD_FLAGS)) {
    const value = flag(fields.get(name) ?? "");
    if (value !== undefined) card[key as CardFlag] = value;
  }
  const smoothing = parseSmoothing(fields.get("smoothing") ?? "");
  if (smoothing !== undefined) card.smoothing = smoothing;
  const y = span((fields.get("y") ?? "").replace(":", ","));
  if (y !== undefined) card.y = y;
  return card;
}

/** `mean,sd,members,config:lr`: the criterion is last, since it may contain any character. */
function printGrouping(grouping: Grouping | null): string {
  if (grouping === null) return "";
  const { by, statistic, band, members } = grouping;
  return [statistic, band, ...(members ? ["members"] : []), by].join(",");
}

function parseGrouping(given: string): Grouping | undefined {
  const match = /^(mean|median),(none|sd|se|minmax),(members,)?(folder$|name:|config:)(.*)$/s.exec(given);
  if (match === null) return undefined;
  return {
    by: match[4]! + match[5]!,
    statistic: match[1] as Grouping["statistic"],
    band: match[2] as Grouping["band"],
    members: match[3] !== undefined,
  };
}

/** TensorBoard can also colour by experiment; a board has only one. */
function parseColorBy(given: string): string | undefined {
  if (given === "run" || given === "experiment") return "run";
  if (given.startsWith("regex_by_exp:")) return given.replace("regex_by_exp:", "regex:");
  return given === "group" || /^(regex|config|metric):/.test(given) ? given : undefined;
}

/** `-column` sorts down. */
function printSort(sort: readonly SortBy[]): string {
  return listed(sort.map(({ column, down }) => (down ? `-${column}` : column)));
}

function parseSort(given: string): readonly SortBy[] | undefined {
  const sort = names(given).map((part) => ({ column: part.replace(/^-/, ""), down: part.startsWith("-") }));
  return sort.some(({ column }) => column !== "") ? sort : undefined;
}

function parsePin(given: string): Pin | undefined {
  const comma = given.indexOf(",");
  const step = Number(given.slice(0, comma));
  return comma > 0 && Number.isFinite(step) ? { step, run: given.slice(comma + 1) } : undefined;
}

function parseTheme(given: string): Theme | undefined {
  const dark = flag(given);
  return dark === undefined ? undefined : dark ? "dark" : "light";
}

function printTheme(theme: Theme): string {
  return theme === "system" ? "" : String(theme === "dark");
}

function parseLanguage(given: string): Language | undefined {
  const name = given.toLowerCase().slice(0, 2);
  return name === "en" || name === "zh" || name === "ru" ? name : undefined;
}
