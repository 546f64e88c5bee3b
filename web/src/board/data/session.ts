/** The feed of points and the live updates, connected to the view and the server. Shared by all pages. */

import { decodeCharts } from "../../api/blocks";
import { fetchCharts } from "../../api/board";
import { useView } from "../view/view";
import { loadAnnotations } from "./annotations";
import { Feed, type Frame } from "./feed";
import { queries, runsQuery, statusQuery, tagsQuery } from "./lists";
import { LiveUpdates } from "./live";

function frame(): Frame {
  const { axis, xTag, smoothing, grouping, repeats } = useView.getState();
  const { statistic = "mean", band = "sd" } = grouping ?? {};
  return { axis, xTag, smoothing, statistic, band, repeats };
}

export const feed = new Feed(
  async (request, signal) => {
    const { charts } = decodeCharts(await fetchCharts(request, signal));
    // Decoding a screen of points takes a while: let the page run before it draws them.
    await nextFrame();
    signal?.throwIfAborted();
    return charts;
  },
  frame(),
  { onReach: (reached) => live.reached(reached) },
);

export const live: LiveUpdates = new LiveUpdates(feed);

/** Follows the view, and loads everything that the first render shows. Resolves when all of it loaded or failed. */
export async function startSession(): Promise<void> {
  useView.subscribe(() => feed.setFrame(frame()));
  await Promise.allSettled([loadAnnotations(), ...[statusQuery, ...LISTS].map(ensure)]);
}

/**
 * Starts live updates once the server has answered: a stream that opens earlier reports old changes. Call it after
 * the page has rendered: changes during the first render make it start over, and without pauses.
 */
export function startLive(): void {
  void Promise.allSettled(LISTS.map(ensure)).then(() => live.start());
}

const LISTS = [runsQuery, tagsQuery];

const ensure = (query: Parameters<typeof queries.ensureQueryData>[0]) => queries.ensureQueryData(query);

/** Resolves in a new task, without the minimum delay of timers. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
