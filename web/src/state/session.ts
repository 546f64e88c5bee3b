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
  async (question, signal) => {
    const { charts } = decodeCharts(await askCharts(question, signal));
    // A screen of points takes a while to read: the page has a turn before it draws them.
    await nextTurn();
    signal?.throwIfAborted();
    return charts;
  },
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

/** A task later, without the delays of timers. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
