/** The two things every page shares: the feed of points and the live updates, bound to the view and the server. */

import { decodeCharts } from "../api/blocks";
import { askCharts } from "../api/board";
import { Feed, type Frame } from "./feed";
import { queries, runsQuery, statusQuery, tagsQuery } from "./lists";
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

/** Follows the view, and asks for all that the first drawing shows; settles when it has come, or has failed to. */
export async function startSession(): Promise<void> {
  useView.subscribe(() => feed.setFrame(frame()));
  await Promise.allSettled([loadOverlay(), ...[statusQuery, ...LISTS].map(ensure)]);
}

/**
 * Follows the server once it has answered: a stream that opens sooner tells old news. To be called when the page is
 * drawn: news in the middle of the first drawing make it begin anew, and in one piece.
 */
export function startLive(): void {
  void Promise.allSettled(LISTS.map(ensure)).then(() => live.start());
}

const LISTS = [runsQuery, tagsQuery];

const ensure = (query: Parameters<typeof queries.ensureQueryData>[0]) => queries.ensureQueryData(query);

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
