/**
 * The view as an address, and back: one table of fields. Only what differs from the defaults is written; names and
 * forms of TensorBoard's links are read for ever. Pure: the history belongs to `view.ts`.
 */

import type { Axis } from "../chart";
import type { Language } from "../words/words";
import { fromAddress, toAddress } from "./pattern";

export type { Axis };
export type Theme = "system" | "light" | "dark";

/** Which runs are drawn: a base and the names that differ from it. `default` is all, or the latest of very many. */
export interface Shown {
  base: "default" | "all" | "none";
  shown: readonly string[];
  hidden: readonly string[];
}

/** A step chosen by a click, on the run whose point was nearest. */
export interface Pin {
  run: string;
  step: number;
}

export type Span = readonly [number, number];

/** A box drawn on one card: its own range of x and y. */
export interface Box {
  tag: string;
  x: Span;
  y: Span;
}

export interface View {
  page: string;
  tagFilter: string;
  runFilter: string;
  smoothing: number;
  axis: Axis;
  /** x range of all charts, in units of `axis`. */
  zoom: Span | null;
  /** Cards zoomed for themselves. */
  boxes: readonly Box[];
  logY: boolean;
  ignoreOutliers: boolean;
  /** Cards in a row; 0 chooses by width. */
  columns: number;
  runs: Shown;
  pin: Pin | null;
  theme: Theme;
  /** Null follows the browser. */
  language: Language | null;
}

export const DEFAULT_PAGE = "timeseries";
export const MAX_SMOOTHING = 0.999;
export const ALL_DEFAULT: Shown = { base: "default", shown: [], hidden: [] };

export const DEFAULT_VIEW: View = {
  page: DEFAULT_PAGE,
  tagFilter: "",
  runFilter: "",
  smoothing: 0.6,
  axis: "step",
  zoom: null,
  boxes: [],
  logY: false,
  ignoreOutliers: true,
  columns: 0,
  runs: ALL_DEFAULT,
  pin: null,
  theme: "system",
  language: null,
};

type Query = ReadonlyMap<string, string>;

interface Field<Name extends keyof View> {
  /** Query names read; the first is also written. */
  names: readonly string[];
  /** Undefined when the text makes no sense. */
  parse(text: string): View[Name] | undefined;
  print(value: View[Name]): string;
}

const FIELDS: { [Name in Exclude<keyof View, "page" | "runs">]: Field<Name> } = {
  tagFilter: { names: ["tagFilter"], parse: fromAddress, print: toAddress },
  runFilter: { names: ["runFilter", "regexInput"], parse: fromAddress, print: toAddress },
  smoothing: { names: ["smoothing", "_smoothingWeight"], parse: parseSmoothing, print: String },
  axis: { names: ["axis", "_xType"], parse: parseAxis, print: (axis) => axis },
  zoom: { names: ["zoom"], parse: parseZoom, print: (zoom) => (zoom ?? []).join(",") },
  boxes: { names: ["box"], parse: parseBoxes, print: printBoxes },
  logY: { names: ["log"], parse: parseFlag, print: String },
  ignoreOutliers: { names: ["ignoreOutliers", "_ignoreYOutliers"], parse: parseFlag, print: String },
  columns: { names: ["columns"], parse: parseColumns, print: String },
  pin: { names: ["pin"], parse: parsePin, print: (pin) => (pin ? `${pin.step},${pin.run}` : "") },
  theme: { names: ["darkMode"], parse: parseTheme, print: printTheme },
  language: { names: ["lang"], parse: parseLanguage, print: (language) => language ?? "" },
};
const NAMES = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

/** The names of the three parts of `runs` in the address. */
const BASE = "runs";
const SHOWN = "show";
const HIDDEN = "hide";

/** Reads an address. What is missing or senseless takes its default; unknown names are left alone. */
export function parseView(search: string, hash: string): View {
  const [page = "", ...legacy] = hash.replace(/^#\/?/, "").split("&");
  const query = new Map([...pairs(legacy.join("&")), ...pairs(search)]);
  const view: View = { ...DEFAULT_VIEW, page: parsePage(page), runs: parseShown(query) };
  for (const name of NAMES) readField(view, name, query);
  return view;
}

function readField<Name extends keyof typeof FIELDS>(view: View, name: Name, query: Query): void {
  const field = FIELDS[name] as unknown as Field<Name>;
  for (const key of field.names) {
    const text = query.get(key);
    const value = text === undefined ? undefined : field.parse(text);
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
  for (const name of NAMES) {
    const text = printField(view, name);
    if (text !== null) parts.push(`${FIELDS[name].names[0]}=${encode(text)}`);
  }
  if (view.runs.base !== "default") parts.push(`${BASE}=${view.runs.base}`);
  if (view.runs.shown.length > 0) parts.push(`${SHOWN}=${encode(printNames(view.runs.shown))}`);
  if (view.runs.hidden.length > 0) parts.push(`${HIDDEN}=${encode(printNames(view.runs.hidden))}`);
  return `${parts.length > 0 ? `?${parts.join("&")}` : ""}#${view.page}`;
}

function printField<Name extends keyof typeof FIELDS>(view: View, name: Name): string | null {
  const field = FIELDS[name] as unknown as Field<Name>;
  const text = field.print(view[name]);
  return text === field.print(DEFAULT_VIEW[name]) ? null : text;
}

function isOurs(key: string): boolean {
  return (
    [BASE, SHOWN, HIDDEN, "runSelectionState"].includes(key) ||
    NAMES.some((name) => FIELDS[name].names.includes(key))
  );
}

function* pairs(query: string): Generator<[string, string]> {
  for (const part of query.replace(/^\?/, "").split("&")) {
    if (part === "") continue;
    const [key = "", ...rest] = part.split("=");
    yield [decode(key), decode(rest.join("="))];
  }
}

/** Percent-encodes only what an address cannot hold, so that links stay readable. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/%(2C|2F|3A|24|40)/g, decodeURIComponent);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}

function parsePage(page: string): string {
  // The old Scalars page is a way of looking at Time Series.
  return page === "" || page === "scalars" ? DEFAULT_PAGE : decode(page);
}

function parseSmoothing(text: string): number | undefined {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return undefined;
  return Math.min(MAX_SMOOTHING, Math.max(0, value));
}

function parseAxis(text: string): Axis | undefined {
  const name = text.toLowerCase().replace(/^wall_?time$/, "wall");
  return name === "step" || name === "relative" || name === "wall" ? name : undefined;
}

function parseZoom(text: string): Span | undefined {
  const [from, to, ...rest] = text.split(",").map(Number);
  if (from === undefined || to === undefined || rest.length > 0) return undefined;
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : undefined;
}

/** `x0,x1,y0,y1,tag`, several joined as names are. */
function printBoxes(boxes: readonly Box[]): string {
  return printNames(boxes.flatMap(({ tag, x, y }) => [...x, ...y, tag].map(String)));
}

function parseBoxes(text: string): readonly Box[] | undefined {
  const parts = parseNames(text);
  const boxes: Box[] = [];
  for (let at = 0; at + 5 <= parts.length; at += 5) {
    const x = parseZoom(parts.slice(at, at + 2).join());
    const y = parseZoom(parts.slice(at + 2, at + 4).join());
    if (x && y) boxes.push({ tag: parts[at + 4]!, x, y });
  }
  return boxes.length > 0 ? boxes : undefined;
}

function parseFlag(text: string): boolean | undefined {
  return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : undefined;
}

function parseColumns(text: string): number | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= 6 ? value : undefined;
}

function parsePin(text: string): Pin | undefined {
  const comma = text.indexOf(",");
  const step = Number(text.slice(0, comma));
  return comma > 0 && Number.isFinite(step) ? { step, run: text.slice(comma + 1) } : undefined;
}

function parseTheme(text: string): Theme | undefined {
  const dark = parseFlag(text);
  return dark === undefined ? undefined : dark ? "dark" : "light";
}

function printTheme(theme: Theme): string {
  return theme === "system" ? "" : String(theme === "dark");
}

function parseLanguage(text: string): Language | undefined {
  const name = text.toLowerCase().slice(0, 2);
  return name === "en" || name === "zh" || name === "ru" ? name : undefined;
}

function parseShown(query: Query): Shown {
  const legacy = query.get("runSelectionState");
  const base = query.get(BASE);
  return {
    base: base === "all" || base === "none" ? base : "default",
    shown: parseNames(query.get(SHOWN)),
    hidden: parseNames(query.get(HIDDEN)).concat(legacy === undefined ? [] : parseSelectionState(legacy)),
  };
}

/** Names of runs that TensorBoard's old dashboards had switched off: base64 of {run: boolean}. */
function parseSelectionState(text: string): string[] {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const state: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof state !== "object" || state === null) return [];
    return Object.entries(state).flatMap(([run, on]) => (on === false ? [run] : []));
  } catch {
    return [];
  }
}

function printNames(names: readonly string[]): string {
  return names.map((name) => name.replace(/[%,]/g, encodeURIComponent)).join(",");
}

function parseNames(text: string | undefined): string[] {
  return text ? text.split(",").map(decode) : [];
}
