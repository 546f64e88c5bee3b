/** Dragging a header to another position; the click that ends a drag is ignored. */

import { type PointerEvent, useLayoutEffect, useRef } from "react";
import { headerAt } from "../../ui/header-at";
import { change, useView } from "../view/view";
import type { TrialColumn } from "./trial-column";
import { showTrials } from "./trials";

const DRAG_PX = 6;

/** `all` are the current columns. */
export function useHeadDrag(column: TrialColumn, all: readonly TrialColumn[]) {
  const shown = useRef(all);
  useLayoutEffect(() => {
    shown.current = all;
  }, [all]);
  const dragged = useRef(false);
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    dragged.current = false;
    if (event.button !== 0) return;
    const head = event.currentTarget;
    const from = event.clientX;
    // Listen on the window: a fast pointer leaves the header before the first move over it.
    const follow = (move: globalThis.PointerEvent) => {
      if (!dragged.current && Math.abs(move.clientX - from) < DRAG_PX) return;
      dragged.current = true;
      head.dataset.dragging = "";
      const to = headerAt(move);
      if (to !== null && to !== column.id) place(column.id, to, shown.current);
    };
    const end = () => {
      delete head.dataset.dragging;
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  };
  const onClickCapture = (event: { preventDefault(): void; stopPropagation(): void }) => {
    if (!dragged.current) return;
    dragged.current = false;
    event.preventDefault();
    event.stopPropagation();
  };
  return { onPointerDown, onClickCapture };
}

function place(id: string, to: string, all: readonly TrialColumn[]): void {
  const at = all.findIndex((each) => each.id === to);
  const ids = all.map((each) => each.id).filter((each) => each !== id);
  ids.splice(at, 0, id);
  change({ hparams: { ...useView.getState().hparams, columns: ids } });
}

/** Moves a header with keys: one position to the left (−1) or the right (1). */
export function moveHead(id: string, by: number, all: readonly TrialColumn[]): void {
  const ids = all.map((each) => each.id);
  const from = ids.indexOf(id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= ids.length) return;
  ids.splice(from, 1);
  ids.splice(to, 0, id);
  showTrials({ columns: ids });
}
