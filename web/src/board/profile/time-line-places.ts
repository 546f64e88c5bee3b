/** Where things of a time line are: processes below each other, their tracks, a row for each depth. Pure. */

import type { PlaceKey } from "../view/profile-view";
import type { ProfileCounter, ProfileTrack, TimeLine } from "./profiles";

export const HEAD_PX = 24;
export const ROW_PX = 18;
export const GAP_PX = 6;
/** The row of the instants of a track, and the chart of a counter. */
export const TICK_PX = 10;
export const COUNTER_PX = 48;
/** The ruler and the steps below it, which stay on top. */
export const RULER_PX = 40;

/** Marks of one row: those from `begin` to `end`, without `end`. */
export interface Row {
  begin: number;
  end: number;
}

export interface TrackPlace {
  /** Its index in the answer. */
  track: number;
  key: PlaceKey;
  isOpen: boolean;
  isPinned: boolean;
  /** Its edges below the ruler, when nothing is scrolled. */
  top: number;
  bottom: number;
  /** Where its instants are, if it has some, and where its rows begin. */
  ticks: number | null;
  body: number;
  /** Only the first one of a track that is closed. */
  rows: readonly Row[];
}

export interface ProcessPlace {
  key: PlaceKey;
  host: number;
  name: string;
  isOpen: boolean;
  top: number;
  /** How many tracks it has. */
  tracks: number;
}

export interface CounterPlace {
  /** Its index in the answer. */
  counter: number;
  top: number;
}

export interface Places {
  processes: readonly ProcessPlace[];
  tracks: readonly TrackPlace[];
  counters: readonly CounterPlace[];
  /** The height of tracks that stay on top. */
  pinned: number;
  height: number;
}

export interface Folding {
  closed: readonly PlaceKey[];
  pinned: readonly PlaceKey[];
}

export function trackKey({ host, track_index }: { host: number; track_index: number }): PlaceKey {
  return `${host}:${track_index}`;
}

export function processKey({ host, process_index }: Pick<ProfileTrack, "host" | "process_index">): PlaceKey {
  return `${host}p${process_index}`;
}

export function placesOf(line: TimeLine, { closed, pinned }: Folding): Places {
  const rows = rowsOf(line);
  const processes: ProcessPlace[] = [];
  const tracks: TrackPlace[] = [];
  const counters: CounterPlace[] = [];
  let top = 0;
  const add = (track: number, isPinned: boolean) => {
    const key = trackKey(line.tracks[track]!);
    const isOpen = !closed.includes(key);
    const shown = isOpen ? rows[track]! : rows[track]!.slice(0, 1);
    const ticks = line.tracks[track]!.instants > 0 ? top + HEAD_PX : null;
    const body = top + HEAD_PX + (ticks === null ? 0 : TICK_PX);
    const bottom = body + shown.length * ROW_PX + GAP_PX;
    tracks.push({ track, key, isOpen, isPinned, top, bottom, ticks, body, rows: shown });
    top = bottom;
  };
  const isPinned = (track: number) => pinned.includes(trackKey(line.tracks[track]!));
  line.tracks.forEach((_, track) => {
    if (isPinned(track)) add(track, true);
  });
  const height = top;
  for (const [key, { host, name, members, samples }] of groupsOf(line)) {
    const isOpen = !closed.includes(key);
    processes.push({ key, host, name, isOpen, top, tracks: members.length });
    top += HEAD_PX;
    if (!isOpen) continue;
    for (const track of members) if (!isPinned(track)) add(track, false);
    for (const counter of samples) {
      counters.push({ counter, top });
      top += COUNTER_PX + GAP_PX;
    }
  }
  return { processes, tracks, counters, pinned: height, height: top };
}

interface Group {
  host: number;
  name: string;
  /** Indices of its tracks and its counters. */
  members: number[];
  samples: number[];
}

/** The processes, in the order of their tracks. */
function groupsOf({ tracks, counters }: TimeLine): Map<PlaceKey, Group> {
  const groups = new Map<PlaceKey, Group>();
  const groupOf = (one: ProfileTrack | ProfileCounter) => {
    const key = processKey(one);
    const found = groups.get(key) ?? { host: one.host, name: one.process, members: [], samples: [] };
    groups.set(key, found);
    return found;
  };
  tracks.forEach((track, at) => void groupOf(track).members.push(at));
  counters.forEach((counter, at) => void groupOf(counter).samples.push(at));
  return groups;
}

/** The marks of each row of each track; they are in this order. */
function rowsOf({ tracks, marks }: TimeLine): Row[][] {
  let at = 0;
  return tracks.map(({ depth: depths }, track) =>
    Array.from({ length: depths }, (_, depth) => {
      const begin = at;
      while (marks.track[at] === track && marks.depth[at] === depth) at++;
      return { begin, end: at };
    }),
  );
}

/** How things are scrolled: tracks that are pinned stay on top, as long as they leave room for others. */
export interface Scroll {
  top: number;
  stuck: number;
}

export function scrollOf({ pinned }: Places, top: number, height: number): Scroll {
  return { top, stuck: pinned <= (height - RULER_PX) / 2 ? pinned : 0 };
}

/** From a height in the picture, below the ruler, to one among the places. */
export function placeY(y: number, { top, stuck }: Scroll): number {
  return y < stuck ? y : y + top;
}

/** From a height among the places to one in the picture, with the ruler. */
export function pictureY(y: number, { top, stuck }: Scroll): number {
  return RULER_PX + (y < stuck ? y : y - top);
}

/** The tracks between two heights among the places. */
export function tracksBetween({ tracks }: Places, one: number, other: number): PlaceKey[] {
  const [from, to] = [Math.min(one, other), Math.max(one, other)];
  return tracks.filter(({ top, bottom }) => top < to && bottom > from).map(({ key }) => key);
}

/** How far to scroll so that a row of a track is seen; null if the track is not there. */
export function scrollFor(
  places: Places,
  key: PlaceKey,
  depth: number,
  { top, stuck }: Scroll,
  height: number,
): number | null {
  const place = places.tracks.find((each) => each.key === key);
  if (!place) return null;
  const y = place.body + Math.min(depth, place.rows.length - 1) * ROW_PX;
  const room = height - RULER_PX;
  if (y < stuck || (y - top >= stuck && y + ROW_PX - top <= room)) return top;
  return Math.max(0, y + ROW_PX / 2 - (room + stuck) / 2);
}
