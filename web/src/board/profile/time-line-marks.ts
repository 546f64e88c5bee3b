/** Where the marks of a time line are: tracks below each other, a row for each depth. Pure. */

import type { Span } from "../view/view-codec";
import type { TimeLine } from "./profiles";

export const HEAD_PX = 22;
export const ROW_PX = 18;
export const GAP_PX = 8;
/** The ruler and the steps below it, which stay on top. */
export const RULER_PX = 40;

/** A window is at least so long. */
const LEAST_US = 0.02;

/** Marks of one row: those from `begin` to `end`, without `end`. */
interface Row {
  begin: number;
  end: number;
}

export interface TrackPlace {
  /** Its upper edge below the ruler. */
  top: number;
  rows: readonly Row[];
}

export interface Places {
  tracks: readonly TrackPlace[];
  height: number;
}

export function placesOf({ tracks, marks }: TimeLine): Places {
  const places: TrackPlace[] = [];
  let top = 0;
  let at = 0;
  for (let track = 0; track < tracks.length; track++) {
    const rows: Row[] = [];
    for (let depth = 0; depth < tracks[track]!.depth; depth++) {
      const begin = at;
      while (marks.track[at] === track && marks.depth[at] === depth) at++;
      rows.push({ begin, end: at });
    }
    places.push({ top, rows });
    top += HEAD_PX + rows.length * ROW_PX + GAP_PX;
  }
  return { tracks: places, height: top };
}

/** The mark at a moment and a height below the ruler; null for none. `slack` is how far beside a mark one may be. */
export function markAt(
  { marks }: TimeLine,
  places: Places,
  time: number,
  y: number,
  slack: number,
): number | null {
  const track = places.tracks.findLast(({ top }) => top <= y);
  if (!track) return null;
  const row = track.rows[Math.floor((y - track.top - HEAD_PX) / ROW_PX)];
  if (!row || y < track.top + HEAD_PX) return null;
  let [low, high] = [row.begin, row.end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (marks.start_us[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  const near = [low - 1, low].filter((at) => at >= row.begin && at < row.end);
  const distance = (at: number) => {
    const start = marks.start_us[at]!;
    return Math.max(start - time, time - start - marks.duration_us[at]!, 0);
  };
  const found = near.sort((a, b) => distance(a) - distance(b))[0];
  return found !== undefined && distance(found) <= slack ? found : null;
}

/** The window `by` times as long, in which `at` stays where it is. */
export function zoomed([begin, end]: Span, by: number, at: number, length: number): Span {
  const span = Math.min(Math.max((end - begin) * by, LEAST_US), length);
  const share = end > begin ? (at - begin) / (end - begin) : 0.5;
  return within([at - share * span, at + (1 - share) * span], length);
}

/** The window moved by some time. */
export function moved([begin, end]: Span, by: number, length: number): Span {
  return within([begin + by, end + by], length);
}

/** The window moved into the capture. */
export function within([begin, end]: Span, length: number): Span {
  const span = Math.min(end - begin, length);
  const start = Math.min(Math.max(0, begin), length - span);
  return [start, start + span];
}

/** What is asked for: half a window more on both sides, so that moving a little shows no gaps. */
export function askedWindow([begin, end]: Span, width: number, length: number) {
  const room = (end - begin) / 2;
  const [from, to] = [Math.max(0, begin - room), Math.min(length, end + room)];
  const round = (time: number) => Math.round(time * 1000) / 1000;
  const share = end > begin ? (to - from) / (end - begin) : 1;
  return {
    begin_us: round(from),
    end_us: Math.max(round(to), round(from) + 0.001),
    width: Math.min(16_384, Math.max(1, Math.round(width * share))),
  };
}
