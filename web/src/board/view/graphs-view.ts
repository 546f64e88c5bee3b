/**
 * The state of the graphs page as one value of the address: `run=a;tag=b;open=encoder,head;selected=encoder/add`. Only
 * what differs from the defaults is written; invalid parts take their defaults. Pure.
 */

import { decode, inner, number } from "./view-codec";

export const FORMS = ["op", "conceptual", "profile"] as const;
export type GraphForm = (typeof FORMS)[number];

/** What colours stand for. */
export const COLORINGS = [
  "structure",
  "op",
  "device",
  "parameters",
  "memory",
  "time",
  "difference",
  "data",
] as const;
export type GraphColoring = (typeof COLORINGS)[number];

export interface GraphsView {
  /** Names of the run and the tag, and the form; all empty for the first graph. */
  run: string;
  tag: string;
  form: GraphForm | "";
  /** The key of one of the values of the tag; empty for the last one. */
  at: string;
  /** Paths of the boxes that are open; null opens what fits. */
  open: readonly string[] | null;
  /** Path of the selected box; empty for none. */
  selected: string;
  /** Null chooses by the form of the graph. */
  color: GraphColoring | null;
  /** The member that an open stack shows, by the path of the stack; the first one if absent. */
  members: Readonly<Record<string, number>>;
  /** The table of totals is shown. */
  totals: boolean;
  /** What the graph is compared with; null for nothing. */
  base: { run: string; tag: string; form: GraphForm; at: string } | null;
}

export const DEFAULT_GRAPHS: GraphsView = {
  run: "",
  tag: "",
  form: "",
  at: "",
  open: null,
  selected: "",
  color: null,
  members: {},
  totals: false,
  base: null,
};

export function printGraphs(view: GraphsView): string {
  const parts: string[] = [];
  const add = (name: string, value: string) => {
    if (value !== "") parts.push(`${name}=${value}`);
  };
  add("run", inner(view.run));
  add("tag", inner(view.tag));
  add("form", view.form);
  add("at", inner(view.at));
  if (view.open !== null) parts.push(`open=${deepest(view.open).map(inner).join(",")}`);
  add("selected", inner(view.selected));
  add("color", view.color ?? "");
  const members = Object.entries(view.members).filter(([, at]) => at > 0);
  add("members", members.map(([path, at]) => `${at}:${inner(path)}`).join(","));
  add("totals", view.totals ? "1" : "");
  if (view.base) {
    const { run, tag, form, at } = view.base;
    parts.push(`base=${[run, tag, form, ...(at === "" ? [] : [at])].map(inner).join(",")}`);
  }
  return parts.join(";");
}

export function parseGraphs(text: string): GraphsView | undefined {
  const fields = new Map(
    text.split(";").map((part): [string, string] => {
      const [name = "", ...value] = part.split("=");
      return [name, value.join("=")];
    }),
  );
  const word = (name: string) => decode(fields.get(name) ?? "");
  const open = fields.get("open");
  return {
    run: word("run"),
    tag: word("tag"),
    form: FORMS.find((form) => form === fields.get("form")) ?? "",
    at: word("at"),
    open: open === undefined ? null : withAncestors(open === "" ? [] : open.split(",").map(decode)),
    selected: word("selected"),
    color: COLORINGS.find((color) => color === fields.get("color")) ?? null,
    members: parseMembers(fields.get("members") ?? ""),
    totals: fields.get("totals") === "1",
    base: parseBase(fields.get("base") ?? ""),
  };
}

function parseBase(text: string): GraphsView["base"] {
  const [run = "", tag = "", name = "", at = ""] = text.split(",").map(decode);
  const form = FORMS.find((each) => each === name);
  return run === "" || form === undefined ? null : { run, tag, form, at };
}

function parseMembers(text: string): Readonly<Record<string, number>> {
  const members: Record<string, number> = {};
  for (const part of text === "" ? [] : text.split(",")) {
    const colon = part.indexOf(":");
    const at = number(part.slice(0, colon));
    if (colon > 0 && at !== undefined && Number.isInteger(at) && at > 0) {
      members[decode(part.slice(colon + 1))] = at;
    }
  }
  return members;
}

/** The scopes around a path, from the outermost. */
export function ancestorsOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
}

export function isWithin(path: string, scope: string): boolean {
  return scope === "" ? path !== "" : path.startsWith(`${scope}/`);
}

/** The paths without those that others lie in. */
function deepest(open: readonly string[]): string[] {
  const around = new Set(open.flatMap(ancestorsOf));
  return open.filter((path) => !around.has(path));
}

/** The paths with all scopes around them, in order. */
export function withAncestors(open: readonly string[]): string[] {
  return [...new Set(open.flatMap((path) => [...ancestorsOf(path), path]))].sort();
}
