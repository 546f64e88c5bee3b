/** Which mark is where, and windows of time that are zoomed and moved. Pure. */

import type { Span } from "../view/view-codec";
import type { TimeLine } from "./profiles";
import { type Places, ROW_PX } from "./time-line-places";

/** Moving and zooming ask the server, and write the address, once they rest. */
export const REST_MS = 120;
/** A window is at least so long. */
const LEAST_US = 0.02;
/** A slice that is narrower is not seen, and is shown in so large a part of the picture. */
const SEEN_PX = 8;
const SEEN_PART = 0.2;

/** The mark at a moment and a height among the places; null for none. `slack` is how far beside a mark one may be. */
export function markAt(
  { marks }: TimeLine,
  places: Places,
  time: number,
  y: number,
  slack: number,
): number | null {
  const track = places.tracks.find(({ top, bottom }) => top <= y && y < bottom);
  const row = track?.rows[Math.floor((y - track.body) / ROW_PX)];
  if (!row) return null;
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

/** The window itself if a slice is seen in it, otherwise one in which it is. */
export function seenWindow(
  window: Span,
  start: number,
  duration: number,
  width: number,
  length: number,
): Span {
  const span = window[1] - window[0];
  const middle = start + duration / 2;
  const isWide = (duration / span) * width >= SEEN_PX;
  if (isWide && start < window[1] && start + duration > window[0]) return window;
  const wanted = isWide && duration <= span ? span : Math.max(duration / SEEN_PART, LEAST_US);
  return within([middle - wanted / 2, middle + wanted / 2], length);
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
