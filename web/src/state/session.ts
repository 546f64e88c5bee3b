/** The two things every page shares: the feed of points and the live updates, bound to the view and the server. */

import { decodeCharts } from "../api/blocks";
import { askCharts } from "../api/board";
import { Feed, type Frame } from "./feed";
import { LiveUpdates } from "./live";
import { useView } from "./view";

function frame(): Frame {
  const { axis, smoothing } = useView.getState();
  return { axis, smoothing };
}

export const feed = new Feed(
  async (question, signal) => decodeCharts(await askCharts(question, signal)).charts,
  frame(),
  { onReach: (reached) => live.reached(reached) },
);

export const live: LiveUpdates = new LiveUpdates(feed);

/** Starts following view and server; returns the way to stop. */
export function startSession(): () => void {
  const stopLive = live.start();
  const stopView = useView.subscribe(() => feed.setFrame(frame()));
  return () => {
    stopView();
    stopLive();
  };
}
