/**
 * The state of the profile page as one value of the address: `capture=run/1;view=operators;sort=-total_us;search=conv`.
 * Only what differs from the defaults is written; invalid parts take their defaults. Pure.
 */

import {
  CALL_COLUMNS,
  type CallOrder,
  OPERATOR_COLUMNS,
  type OperatorColumn,
  SHAPE_COLUMNS,
} from "../../api/profiles";
import { decode, inner, number, type Span } from "./view-codec";

export const PROFILE_VIEWS = ["overview", "timeline", "operators", "memory", "compare"] as const;
export type ProfilePart = (typeof PROFILE_VIEWS)[number];

/** What operators are shown as: a table by scopes or by shapes of inputs, or calls from above or from below. */
export const OPERATOR_FORMS = ["table", "shapes", "down", "up"] as const;
export type OperatorForm = (typeof OPERATOR_FORMS)[number];

export interface SliceName {
  host: number;
  slice: number;
}

/** A track, by the index of its host and its own: "0:3"; a process: "0p1". */
export type PlaceKey = string;

/** A range of time, on some tracks; on all if there are none. */
export interface ProfileRange {
  span: Span;
  tracks: readonly PlaceKey[];
}

export interface ProfileView {
  /** Name of the capture; empty for the first one. */
  capture: string;
  view: ProfilePart;
  form: OperatorForm;
  sort: OperatorColumn;
  descending: boolean;
  /** What calls are sorted by; null for their time. */
  calls: CallOrder | null;
  /** The path of the call that a flame graph shows alone; empty for all of them. */
  zoom: string;
  /** Words that operators must have. */
  search: string;
  /** What the time line shows, in microseconds; null for everything. */
  window: Span | null;
  slice: SliceName | null;
  /** The capture that this one is compared with; empty for the one before. */
  base: string;
  /** The ranks that are compared, of this capture and of the other one; null for all. */
  rank: number | null;
  baseRank: number | null;
  /** Words that are looked for in the time line. */
  find: string;
  range: ProfileRange | null;
  /** Processes and tracks of the time line that are closed. */
  closed: readonly PlaceKey[];
  /** Tracks that stay on top of the time line. */
  pinned: readonly PlaceKey[];
}

export const DEFAULT_PROFILE: ProfileView = {
  capture: "",
  view: "overview",
  form: "table",
  sort: "self_us",
  descending: true,
  calls: null,
  zoom: "",
  search: "",
  window: null,
  slice: null,
  base: "",
  rank: null,
  baseRank: null,
  find: "",
  range: null,
  closed: [],
  pinned: [],
};

/** What is the same in no other capture. */
export const OF_CAPTURE: Partial<ProfileView> = {
  zoom: "",
  window: null,
  slice: null,
  range: null,
  closed: [],
  pinned: [],
};

/** Tracks and processes that an address names. */
const MOST_KEYS = 500;

export function printProfile(view: ProfileView): string {
  const { capture, view: part, sort, descending, search, window, slice, range, base, rank, baseRank } = view;
  const parts: string[] = [];
  const add = (name: string, value: string) => {
    if (value !== "") parts.push(`${name}=${value}`);
  };
  add("capture", inner(capture));
  add("view", part === DEFAULT_PROFILE.view ? "" : part);
  const isUsual = sort === DEFAULT_PROFILE.sort && descending === DEFAULT_PROFILE.descending;
  add("form", view.form === DEFAULT_PROFILE.form ? "" : view.form);
  add("sort", isUsual ? "" : `${descending ? "-" : ""}${sort}`);
  add("calls", view.calls ? `${view.calls.descending ? "-" : ""}${view.calls.sort}` : "");
  add("zoom", view.zoom);
  add("search", inner(search));
  add("window", window ? window.join(",") : "");
  add("slice", slice ? `${slice.host}:${slice.slice}` : "");
  add("base", inner(base));
  add("rank", rank === null ? "" : String(rank));
  add("baserank", baseRank === null ? "" : String(baseRank));
  add("find", inner(view.find));
  add("range", range ? [...range.span, ...range.tracks].join(",") : "");
  add("closed", view.closed.join(","));
  add("pinned", view.pinned.join(","));
  return parts.join(";");
}

export function parseProfile(text: string): ProfileView | undefined {
  const fields = new Map(
    text.split(";").map((part): [string, string] => {
      const [name = "", ...value] = part.split("=");
      return [name, value.join("=")];
    }),
  );
  const word = (name: string) => decode(fields.get(name) ?? "");
  const given = fields.get("sort") ?? "";
  const sort = [...OPERATOR_COLUMNS, ...SHAPE_COLUMNS].find((column) => column === given.replace(/^-/, ""));
  return {
    capture: word("capture"),
    view: PROFILE_VIEWS.find((part) => part === fields.get("view")) ?? DEFAULT_PROFILE.view,
    form: OPERATOR_FORMS.find((form) => form === fields.get("form")) ?? DEFAULT_PROFILE.form,
    sort: sort ?? DEFAULT_PROFILE.sort,
    descending: sort ? given.startsWith("-") : DEFAULT_PROFILE.descending,
    calls: parseCalls(fields.get("calls") ?? ""),
    zoom: PATH.test(fields.get("zoom") ?? "") ? fields.get("zoom")! : "",
    search: word("search"),
    window: parseWindow(fields.get("window") ?? ""),
    slice: parseSlice(fields.get("slice") ?? ""),
    base: word("base"),
    rank: parseRank(fields.get("rank") ?? ""),
    baseRank: parseRank(fields.get("baserank") ?? ""),
    find: word("find"),
    range: parseRange(fields.get("range") ?? ""),
    closed: parseKeys(fields.get("closed") ?? "", /^\d{1,9}[:p]\d{1,9}$/),
    pinned: parseKeys(fields.get("pinned") ?? "", TRACK),
  };
}

function parseWindow(text: string): Span | null {
  const [begin, end] = text.split(",").map(number);
  return begin !== undefined && end !== undefined && begin < end ? [begin, end] : null;
}

/** A call by those around it, as the server names it. */
const PATH = /^\d{1,9}(,\d{1,9}){0,199}$/;

function parseCalls(text: string): CallOrder | null {
  const sort = CALL_COLUMNS.find((column) => column === text.replace(/^-/, ""));
  return sort ? { sort, descending: text.startsWith("-") } : null;
}

function parseRank(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

function parseSlice(text: string): SliceName | null {
  const found = /^(\d{1,9}):(\d{1,9})$/.exec(text);
  return found ? { host: Number(found[1]), slice: Number(found[2]) } : null;
}

const TRACK = /^\d{1,9}:\d{1,9}$/;

function parseRange(text: string): ProfileRange | null {
  const [begin, end, ...tracks] = text.split(",");
  const span = parseWindow(`${begin},${end}`);
  return span && { span, tracks: parseKeys(tracks.join(","), TRACK) };
}

function parseKeys(text: string, pattern: RegExp): PlaceKey[] {
  return text
    .split(",")
    .filter((key) => pattern.test(key))
    .slice(0, MOST_KEYS);
}
