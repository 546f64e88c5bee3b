/**
 * The state of the HParams page as one value of the address:
 * `mode=parallel;sort=-metric:loss:last;filter=config:lr,1e-4..0.1`. Only what differs from the defaults is written;
 * invalid parts are ignored. Pure.
 */

import { type Filter, parseFilter, printFilter } from "./trial-filter";
import { inner, listed, names, parseFields } from "./view-codec";

export const MODES = ["table", "parallel", "scatter"] as const;
export type Mode = (typeof MODES)[number];
export const SCALES = ["linear", "log", "quantile"] as const;
export type ScaleKind = (typeof SCALES)[number];
/** How trials of one group are combined into a row; "none" gives each a row. */
export const TOGETHER = ["none", "mean", "median", "min", "max"] as const;
export type Together = (typeof TOGETHER)[number];

export interface HparamsView {
  mode: Mode;
  /** Ids of the columns and axes in order; empty for the defaults. */
  columns: readonly string[];
  /** Null keeps the order of the runs. */
  sort: { column: string; down: boolean } | null;
  filters: Readonly<Record<string, Filter>>;
  /** Scales of axes that the user chose. */
  scales: Readonly<Record<string, ScaleKind>>;
  together: Together;
  /** The column to colour by on this page only; "" uses the colours of the runs. */
  color: string;
}

export const DEFAULT_HPARAMS: HparamsView = {
  mode: "table",
  columns: [],
  sort: null,
  filters: {},
  scales: {},
  together: "none",
  color: "",
};

export function printHparams(view: HparamsView): string {
  const parts: string[] = [];
  const add = (name: string, text: string) => {
    if (text !== "") parts.push(`${name}=${inner(text)}`);
  };
  add("mode", view.mode === "table" ? "" : view.mode);
  add("columns", listed(view.columns));
  add("sort", view.sort ? `${view.sort.down ? "-" : ""}${view.sort.column}` : "");
  add("filter", listed(Object.entries(view.filters).flatMap(([id, filter]) => [id, printFilter(filter)])));
  add("scale", listed(Object.entries(view.scales).flat()));
  add("together", view.together === "none" ? "" : view.together);
  add("color", view.color);
  return parts.join(";");
}

export function parseHparams(text: string): HparamsView | undefined {
  const fields = parseFields(text);
  const word = (name: string) => fields.get(name) ?? "";
  const sort = word("sort");
  return {
    mode: MODES.find((mode) => mode === word("mode")) ?? "table",
    columns: names(word("columns")),
    sort:
      sort.replace(/^-/, "") === "" ? null : { column: sort.replace(/^-/, ""), down: sort.startsWith("-") },
    filters: twos(word("filter"), parseFilter),
    scales: twos(word("scale"), (given) => SCALES.find((scale) => scale === given)),
    together: TOGETHER.find((each) => each === word("together")) ?? "none",
    color: word("color"),
  };
}

/** `a,1,b,2` */
function twos<Value>(text: string, parse: (given: string) => Value | undefined): Record<string, Value> {
  const parts = names(text);
  const found: Record<string, Value> = {};
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const value = parse(parts[at + 1]!);
    if (value !== undefined) found[parts[at]!] = value;
  }
  return found;
}
