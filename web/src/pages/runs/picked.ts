/** Runs picked on the page: one by a click, more with Ctrl, a range with Shift. Gone with the page. */

import { useCallback, useMemo, useRef, useState } from "react";
import type { Picking } from "../../panels/runs/grid";

export interface Picked extends Picking {
  clear(): void;
}

export function usePicked(): Picked {
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  const onPick = useCallback<Picking["onPick"]>((name, { range, also }, order) => {
    setPicked((before) => next(before, name, { range, also, order, last: last.current }));
    if (!range) last.current = name;
  }, []);
  const clear = useCallback(() => setPicked(new Set()), []);
  return useMemo(() => ({ picked, onPick, clear }), [picked, onPick, clear]);
}

interface How {
  range: boolean;
  also: boolean;
  /** Names in the order of the rows. */
  order: readonly string[];
  /** Where a range begins. */
  last: string | null;
}

/** What is picked after a click on a row. A second click on the only one lets it go. */
export function next(
  before: ReadonlySet<string>,
  name: string,
  { range, also, order, last }: How,
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
