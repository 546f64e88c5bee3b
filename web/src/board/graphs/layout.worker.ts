/** The worker that lays out graphs. Of several requests that wait, only the last one is answered. */

import { arrangeByDagre } from "./geometry/dagre";
import { NestedLayouts } from "./geometry/nested-layout";
import type { FromWorker, ToWorker } from "./layout-messages";

/** The part of the worker's global scope that is used. */
interface Scope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker): void;
}

const scope = self as unknown as Scope;
const layouts = new NestedLayouts(arrangeByDagre);
let waiting: ToWorker | null = null;

scope.onmessage = ({ data }) => {
  if (waiting === null) setTimeout(work, 0);
  waiting = data;
};

function work(): void {
  const { id, input } = waiting!;
  waiting = null;
  const [begin, before] = [performance.now(), layouts.made];
  try {
    const layout = layouts.layOut(input);
    scope.postMessage({
      kind: "done",
      id,
      layout,
      tookMs: performance.now() - begin,
      made: layouts.made - before,
    });
  } catch (fault) {
    scope.postMessage({ kind: "fault", id, message: fault instanceof Error ? fault.message : String(fault) });
  }
}
