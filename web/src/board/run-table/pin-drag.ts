/** Dragging rows: among the pinned ones to reorder, from below to pin, from above to unpin. */

import { type PointerEvent, type RefObject, useRef, useState } from "react";
import { change, useView } from "../view/view";
import { pinnedCount, pinsAbove, type TableRow } from "./rows";

const START_PX = 5;
const ROW_PX = 28;

interface Grip {
  name: string;
  x: number;
  y: number;
  dragging: boolean;
}

export function usePinDrag(
  rows: readonly TableRow[],
  scroll: RefObject<HTMLDivElement | null>,
  headPx: number,
) {
  const grip = useRef<Grip | null>(null);
  const [line, setLine] = useState<number | null>(null);
  const pinned = pinnedCount(rows);

  /** The pinned row under the pointer; null below them. */
  const placeAt = (clientY: number): number | null => {
    const box = scroll.current!.getBoundingClientRect();
    const y = clientY - box.top + scroll.current!.scrollTop - headPx;
    // The heading of the pinned rows is one row high.
    const place = Math.round(y / ROW_PX) - 1;
    return pinned > 0 && place <= pinned ? Math.max(0, place) : null;
  };
  const end = () => {
    grip.current = null;
    setLine(null);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const name =
        event.target instanceof Element && event.target.closest<HTMLElement>("[data-drag]")?.dataset.drag;
      const mouse = event.pointerType === "mouse" && event.button === 0;
      grip.current = name && mouse ? { name, x: event.clientX, y: event.clientY, dragging: false } : null;
    },
    onPointerMove: (event: PointerEvent) => {
      const now = grip.current;
      if (!now) return;
      if (!now.dragging) {
        const apart = Math.hypot(event.clientX - now.x, event.clientY - now.y);
        const pins = useView.getState().runPins;
        if (apart < START_PX || pins.length === 0) return;
        now.dragging = true;
        scroll.current!.setPointerCapture(event.pointerId);
      }
      const place = placeAt(event.clientY);
      setLine(place === null ? null : headPx + (place + 1) * ROW_PX);
    },
    onPointerUp: (event: PointerEvent) => {
      const now = grip.current;
      if (now?.dragging) {
        const place = placeAt(event.clientY);
        drop(now.name, place === null ? null : pinsAbove(rows, place));
      }
      end();
    },
    onPointerCancel: end,
    // The click that ends a drag does not hold the run in front.
    onClickCapture: (event: { stopPropagation(): void }) => {
      if (justDropped) event.stopPropagation();
    },
  };
  return { line, handlers };
}

let justDropped = false;

function drop(name: string, place: number | null): void {
  justDropped = true;
  setTimeout(() => {
    justDropped = false;
  }, 0);
  const { runPins } = useView.getState();
  const at = runPins.indexOf(name);
  const others = runPins.filter((each) => each !== name);
  if (place === null) {
    if (at >= 0) change({ runPins: others });
    return;
  }
  change({ runPins: others.toSpliced(at >= 0 && at < place ? place - 1 : place, 0, name) });
}
