/**
 * Dragging cards by their headings: dropped on another they are joined, dropped between pinned ones they are pinned
 * there. For keys and touch, the menu of a card does the same.
 */

import { type RefObject, useEffect } from "react";
import { say } from "../../i18n/words";
import { moveCursor } from "../view/interaction";
import { join } from "../view/joins";
import { placePin } from "../view/pins";
import { useView } from "../view/view";
import style from "./use-card-drag.module.css";

const START_PX = 6;
/** Share of a pinned card's width on either side that means before or after it. */
const EDGE_PART = 0.22;
/** The list scrolls within this distance of its edge. */
const SCROLL_EDGE_PX = 48;
const SCROLL_STEP_PX = 12;

type Drop = "join" | "before" | "after";

interface Target {
  cell: HTMLElement;
  tag: string;
  drop: Drop;
}

export function useCardDrag(scroll: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const list = scroll.current;
    if (!list) return;
    const down = (event: PointerEvent) => {
      const tag = tagUnder(event);
      if (tag !== null) follow(list, event, tag);
    };
    list.addEventListener("pointerdown", down);
    return () => list.removeEventListener("pointerdown", down);
  }, [scroll]);
}

/** The card whose heading is pressed with a mouse or a pen; fingers scroll. */
function tagUnder({ target, button, pointerType }: PointerEvent): string | null {
  if (button !== 0 || pointerType === "touch" || !(target instanceof Element)) return null;
  if (!target.closest("[data-grip]") || target.closest("button, a, input")) return null;
  return target.closest<HTMLElement>("[data-card]")?.dataset.card ?? null;
}

function follow(list: HTMLElement, from: PointerEvent, tag: string): void {
  let ghost: HTMLElement | null = null;
  let target: Target | null = null;
  let at = { x: from.clientX, y: from.clientY };
  let scrolling = 0;
  const aim = (next: Target | null) => {
    if (target && target.cell !== next?.cell) mark(target.cell, null);
    if (next) mark(next.cell, next.drop);
    target = next;
  };
  const move = (event: PointerEvent) => {
    at = { x: event.clientX, y: event.clientY };
    if (ghost === null) {
      if (Math.hypot(at.x - from.clientX, at.y - from.clientY) < START_PX) return;
      ghost = showGhost(tag);
      list.classList.add(style.dragging!);
      moveCursor(null);
      scrolling = requestAnimationFrame(scrollOn);
    }
    ghost.style.transform = `translate(${at.x + 12}px, ${at.y + 8}px)`;
    aim(targetAt(at, tag));
    event.preventDefault();
  };
  const scrollOn = () => {
    const { top, bottom } = list.getBoundingClientRect();
    if (at.y < top + SCROLL_EDGE_PX) list.scrollBy(0, -SCROLL_STEP_PX);
    else if (at.y > bottom - SCROLL_EDGE_PX) list.scrollBy(0, SCROLL_STEP_PX);
    scrolling = requestAnimationFrame(scrollOn);
  };
  const end = (put: boolean) => {
    const last = target;
    aim(null);
    ghost?.remove();
    list.classList.remove(style.dragging!);
    cancelAnimationFrame(scrolling);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", give);
    removeEventListener("keydown", key, true);
    if (put && last) drop(tag, last);
  };
  const up = () => end(ghost !== null);
  const give = () => end(false);
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    end(false);
  };
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", give);
  addEventListener("keydown", key, true);
}

function targetAt({ x, y }: { x: number; y: number }, dragged: string): Target | null {
  const cell = document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-card]");
  const tag = cell?.dataset.card;
  if (!cell || tag === undefined || tag === dragged) return null;
  if (cell.dataset.pinned === undefined) return { cell, tag, drop: "join" };
  const { left, width } = cell.getBoundingClientRect();
  const part = (x - left) / width;
  return { cell, tag, drop: part < EDGE_PART ? "before" : part > 1 - EDGE_PART ? "after" : "join" };
}

function drop(tag: string, { tag: onto, drop: how }: Target): void {
  if (how === "join") {
    join(onto, tag);
    return;
  }
  const { pinned } = useView.getState();
  const others = pinned.filter((each) => each !== tag);
  const next = others[others.indexOf(onto) + 1] ?? null;
  placePin(tag, how === "before" ? onto : next);
}

/** Shows what dropping here would do. */
function mark(cell: HTMLElement, drop: Drop | null): void {
  cell.classList.toggle(style.target!, drop !== null);
  if (drop === null) {
    delete cell.dataset.drop;
    delete cell.dataset.dropWord;
    return;
  }
  cell.dataset.drop = drop;
  cell.dataset.dropWord = say(drop === "join" ? "drop.join" : "drop.pin");
}

function showGhost(tag: string): HTMLElement {
  const ghost = document.createElement("div");
  ghost.className = style.ghost!;
  ghost.textContent = tag;
  document.body.append(ghost);
  return ghost;
}
