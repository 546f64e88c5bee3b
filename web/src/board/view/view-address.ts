/**
 * Reads and writes the address of a view. Only fields that differ from their defaults are written; names and forms of
 * TensorBoard's links stay readable. Pure: `view-fields.ts` has the fields, `view.ts` the history.
 */

import { decode, encode, listed, names, pairs, parseSelectionState } from "./view-codec";
import { FIELD_NAMES, FIELDS, type Field, type FieldName } from "./view-fields";
import { DEFAULT_PAGE, DEFAULT_VIEW, type RunSelection, type View } from "./view-state";

type Query = ReadonlyMap<string, string>;

/** The names of the three parts of `runs` in the address. */
const BASE = "runs";
const SHOWN = "show";
const HIDDEN = "hide";
const SELECTION_STATE = "runSelectionState";

/** Reads an address. Missing or invalid fields take their defaults; unknown names are ignored. */
export function parseView(search: string, hash: string): View {
  const [page = "", asked = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [path = "", ...legacy] = page.split("&");
  const query = new Map([...pairs(legacy.join("&")), ...comparedRuns(asked), ...pairs(search)]);
  const view: View = { ...DEFAULT_VIEW, ...parsePath(path), runs: parseShown(query) };
  if (path === "distributions") view.histogramMode = "percentiles";
  for (const name of FIELD_NAMES) readField(view, name, query);
  return view;
}

/** In `#compare?runs=a,b` the fragment has what usually is in the query. */
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

/**
 * The address of a view without the path: `?smoothing=0.9#timeseries`. Names in the query `search` that are not ours
 * are kept.
 */
export function printView(view: View, search = ""): string {
  const parts: string[] = [];
  for (const [key, value] of pairs(search)) if (!isOurs(key)) parts.push(`${key}=${encode(value)}`);
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
  // TensorBoard's Scalars page is part of Time Series.
  if (page === "" || page === "scalars") return { page: DEFAULT_PAGE, subject: "" };
  // Distributions are a mode of the histograms page.
  if (page === "distributions") return { page: "histograms", subject: "" };
  return { page, subject };
}

function parseShown(query: Query): RunSelection {
  const legacy = query.get(SELECTION_STATE);
  const base = query.get(BASE);
  return {
    base: base === "all" || base === "none" ? base : "default",
    shown: names(query.get(SHOWN)),
    hidden: names(query.get(HIDDEN)).concat(legacy === undefined ? [] : parseSelectionState(legacy)),
  };
}
