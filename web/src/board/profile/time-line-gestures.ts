/** What pointers and wheel do to a time line: they move and zoom it, draw a range, and click. */

import { type PointerEvent, useEffect, useLayoutEffect, useRef } from "react";
import type { Span } from "../view/view-codec";
import { moved, zoomed } from "./time-line-marks";

const CLICK_PX = 4;
const EDGE_PX = 4;
const TOUCH_EDGE_PX = 18;

export interface Point {
  x: number;
  y: number;
}

type Element = { current: HTMLElement | null };
type Edge = 0 | 1;

/** `act` tells whether it has used the event; it is not passive, unlike those of React. */
export function useWheel(element: Element, act: (event: WheelEvent, x: number) => boolean): void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const node = element.current;
    if (!node) return undefined;
    const listener = (event: WheelEvent) => {
      if (latest.current(event, event.clientX - node.getBoundingClientRect().left)) event.preventDefault();
    };
    node.addEventListener("wheel", listener, { passive: false });
    return () => node.removeEventListener("wheel", listener);
  }, [element]);
}

interface GestureOptions {
  scroll: Element;
  width: number;
  length: number;
  /** Dragging draws a range, as it does with Shift. */
  isSelecting: boolean;
  /** Two fingers may move between two pictures, so each movement changes what the one before has left. */
  show(next: (was: Span) => Span): void;
  hover(at: Point | null): void;
  click(at: Point): void;
  select(from: Point, to: Point): void;
  /** The edge of the range that is so near. */
  edgeAt(at: Point, slack: number): Edge | null;
  resize(edge: Edge, to: Point): void;
}

/** Dragging moves the window, or draws a range or moves an edge of it; two fingers zoom; who hardly moves clicks. */
export function useGestures(options: GestureOptions) {
  const { scroll, length, show } = options;
  const width = Math.max(1, options.width);
  const pointers = useRef(new Map<number, Point>());
  const distance = useRef(0);
  const drag = useRef<{ from: Point; edge: Edge | null; isRange: boolean } | null>(null);
  const placeOf = (event: PointerEvent): Point => {
    const box = scroll.current!.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const end = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId);
  };
  const slackOf = (event: PointerEvent) => (event.pointerType === "touch" ? TOUCH_EDGE_PX : EDGE_PX);
  const move = (event: PointerEvent, from: Point, to: Point) => {
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    if (other) {
      const by = Math.max(8, Math.abs(from.x - other.x)) / Math.max(8, Math.abs(to.x - other.x));
      show((was) => zoomed(was, by, was[0] + (other.x / width) * (was[1] - was[0]), length));
    } else if (drag.current && drag.current.edge !== null) options.resize(drag.current.edge, to);
    else if (drag.current?.isRange) options.select(drag.current.from, to);
    else {
      show((was) => moved(was, ((from.x - to.x) / width) * (was[1] - was[0]), length));
      if (event.pointerType !== "touch") scroll.current!.scrollTop -= to.y - from.y;
    }
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return;
      const from = placeOf(event);
      if (pointers.current.size === 0) {
        distance.current = 0;
        const edge = options.edgeAt(from, slackOf(event));
        drag.current = { from, edge, isRange: options.isSelecting || event.shiftKey };
      }
      pointers.current.set(event.pointerId, from);
    },
    onPointerMove: (event: PointerEvent) => {
      const to = placeOf(event);
      const from = pointers.current.get(event.pointerId);
      if (!from) {
        if (event.pointerType === "touch") return;
        options.hover(to);
        const isEdge = options.edgeAt(to, EDGE_PX) !== null;
        scroll.current!.dataset.grip = isEdge ? "edge" : event.shiftKey ? "range" : "none";
        return;
      }
      distance.current += Math.hypot(to.x - from.x, to.y - from.y);
      if (distance.current <= CLICK_PX) return;
      scroll.current?.setPointerCapture(event.pointerId);
      options.hover(null);
      pointers.current.set(event.pointerId, to);
      move(event, from, to);
    },
    onPointerUp: (event: PointerEvent) => {
      const isClick = pointers.current.has(event.pointerId) && distance.current <= CLICK_PX;
      end(event);
      const isButton = event.target instanceof HTMLElement && event.target.closest("button") !== null;
      if (isClick && !isButton) options.click(placeOf(event));
    },
    onPointerCancel: end,
    onPointerLeave: () => options.hover(null),
  };
}
