/** The two things every page shares: the feed of points and the live updates, bound to the view and the server. */

import { decodeCharts } from "../api/blocks";
import { askCharts } from "../api/board";
import { Feed, type Frame } from "./feed";
import { queries, runsQuery, tagsQuery } from "./lists";
import { LiveUpdates } from "./live";
import { loadOverlay } from "./overlay";
import { useView } from "./view";

function frame(): Frame {
  const { axis, xTag, smoothing, grouping } = useView.getState();
  return { axis, xTag, smoothing, statistic: grouping?.statistic ?? "mean", band: grouping?.band ?? "sd" };
}

export const feed = new Feed(
  async (question, signal) => decodeCharts(await askCharts(question, signal)).charts,
  frame(),
  { onReach: (reached) => live.reached(reached) },
);

export const live: LiveUpdates = new LiveUpdates(feed);

/** Starts following the view, and the server once it has answered: a stream that opens sooner tells old news. */
export function startSession(): void {
  useView.subscribe(() => feed.setFrame(frame()));
  void loadOverlay();
  const lists = [runsQuery, tagsQuery].map((query) => queries.ensureQueryData<unknown>(query));
  void Promise.allSettled(lists).then(() => live.start());
}
