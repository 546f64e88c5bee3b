/** Selected rows of the Runs page: one by a click, more with Ctrl, a range with Shift. Reset when the page is left. */

import { useCallback, useMemo, useRef, useState } from "react";
import type { PickState } from "../../run-table/row-actions";

export interface PickedRuns extends PickState {
  clear(): void;
}

export function usePickedRuns(): PickedRuns {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const onPick = useCallback<PickState["onPick"]>((name, { range, also }, order) => {
    setPicked((before) => nextPicked(before, name, { range, also, order, last: last.current }));
    if (!range) last.current = name;
  }, []);
  const clear = useCallback(() => setPicked(new Set()), []);
  return useMemo(() => ({ picked, onPick, clear }), [picked, onPick, clear]);
}

interface PickMode {
  range: boolean;
  also: boolean;
  /** Names in the order of the rows. */
  order: readonly string[];
  /** The start of a range. */
  last: string | null;
}

/** The selection after a click on a row. A second click on the only selected row clears it. */
export function nextPicked(
  before: ReadonlySet<string>,
  name: string,
  { range, also, order, last }: PickMode,
): Set<string> {
  if (range && last !== null) {
    const [a, b] = [order.indexOf(last), order.indexOf(name)];
    const part = order.slice(Math.min(a, b), Math.max(a, b) + 1);
    return new Set([...(also ? before : []), ...part]);
  }
  if (!also) return before.size === 1 && before.has(name) ? new Set() : new Set([name]);
  const after = new Set(before);
  if (!after.delete(name)) after.add(name);
  return after;
}
