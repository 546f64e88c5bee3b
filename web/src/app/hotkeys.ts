/** The keys of the whole page. Off while somebody types; never a lone key the browser wants for itself. */

import { useEffect, useRef } from "react";
import { TAG_FILTER_ID } from "../pages/timeseries/tool-bar";
import { RUN_FILTER_ID } from "../panels/runs/run-table";
import { choosePage } from "../state/cards";
import { useSortedRuns } from "../state/lists";
import { useLive } from "../state/live";
import { compile } from "../state/pattern";
import { highlighted, hover, moveCursor, useScene } from "../state/scene";
import { live } from "../state/session";
import { useSide } from "../state/side";
import { onlyRun, switchAll } from "../state/switching";
import { currentShade } from "../state/theme";
import { change, commit, useView } from "../state/view";
import { type Axis, DEFAULT_PAGE, DEFAULT_VIEW, MAX_SMOOTHING } from "../state/viewstate";
import { useVisibleRuns } from "../state/visible";
import { chooseAxis } from "../state/zoom";
import { SEARCH_ID } from "./tag-search";

interface HotkeyActions {
  showKeys(): void;
  /** The runs are behind a button on a phone. */
  openRuns(): void;
}

const AXES: readonly Axis[] = ["step", "relative", "wall"];
const SMOOTHING_STEP = 0.05;
/** The second key of a pair must come within this. */
const PAIR_MS = 1000;

export function useHotkeys(actions: HotkeyActions): void {
  const runs = useSortedRuns();
  const visible = useVisibleRuns();
  const latest = useRef({ actions, runs, visible });
  latest.current = { actions, runs, visible };
  useEffect(() => {
    let pairUntil = 0;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const key = latinKey(event);
      if ((event.ctrlKey || event.metaKey) && key === "k") {
        focus(SEARCH_ID);
        event.preventDefault();
        return;
      }
      if (event.altKey && key === "m") {
        change({ theme: currentShade() === "dark" ? "light" : "dark" });
        event.preventDefault();
        return;
      }
      if (event.key === "Escape") {
        // Browsers empty a search box on Esc; here it only leaves it.
        if (isTyping(event.target)) event.preventDefault();
        letGo();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (performance.now() < pairUntil && key === "t") commit({ page: DEFAULT_PAGE });
      else if (!run(key, latest.current)) {
        if (key === "g") pairUntil = performance.now() + PAIR_MS;
        return;
      }
      pairUntil = 0;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

interface Latest {
  actions: HotkeyActions;
  runs: ReturnType<typeof useSortedRuns>;
  visible: ReadonlySet<number>;
}

/** Does what a key says; false if it says nothing. */
function run(key: string, { actions, runs, visible }: Latest): boolean {
  const view = useView.getState();
  switch (key) {
    case "/":
      actions.openRuns();
      // The sheet of a phone has to open first.
      setTimeout(() => focus(RUN_FILTER_ID), 0);
      return true;
    case "t":
      return focus(TAG_FILTER_ID);
    case "x":
      chooseAxis(AXES[(AXES.indexOf(view.axis) + 1) % AXES.length]!);
      return true;
    case "[":
      return smooth(view.smoothing - SMOOTHING_STEP);
    case "]":
      return smooth(view.smoothing + SMOOTHING_STEP);
    case "0":
      return toggleSmoothing(view.smoothing);
    case "l":
      choosePage({ logY: !view.logY });
      return true;
    case "a": {
      const pattern = safely(view.runFilter);
      const rows = runs.filter((each) => pattern(each.name));
      switchAll({ runs, visible }, rows, !rows.every((each) => visible.has(each.id)));
      return true;
    }
    case "o": {
      const front = highlighted(useScene.getState());
      const chosen = runs.find((each) => each.id === front);
      if (chosen) onlyRun({ runs, visible }, chosen);
      return chosen !== undefined;
    }
    case "b":
      useSide.getState().toggle();
      return true;
    case "r":
      void live.reload();
      return true;
    case ".":
      useLive.setState({ on: !useLive.getState().on });
      return true;
    case "?":
      actions.showKeys();
      return true;
    default:
      return false;
  }
}

/** The key by its place where the layout has other letters there: Cyrillic keyboards press the same keys. */
function latinKey(event: KeyboardEvent): string {
  const key = event.key.toLowerCase();
  const isLatin = key.length !== 1 || key.charCodeAt(0) < 128;
  if (isLatin && !event.altKey) return key;
  if (event.code.startsWith("Key")) return event.code.slice(3).toLowerCase();
  const signs: Record<string, string> = { BracketLeft: "[", BracketRight: "]", Period: ".", Slash: "/" };
  return signs[event.code] ?? key;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !["checkbox", "radio", "range", "button"].includes(target.type);
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

function focus(id: string): boolean {
  const box = document.getElementById(id);
  if (!(box instanceof HTMLInputElement) || box.offsetParent === null) return false;
  box.focus();
  box.select();
  return true;
}

function smooth(value: number): true {
  const rounded = Math.round(value * 1000) / 1000;
  change({ smoothing: Math.min(MAX_SMOOTHING, Math.max(0, rounded)) });
  return true;
}

let smoothingBefore = DEFAULT_VIEW.smoothing;

/** Off, and back to what it was. */
function toggleSmoothing(now: number): true {
  if (now > 0) smoothingBefore = now;
  change({ smoothing: now > 0 ? 0 : smoothingBefore });
  return true;
}

/** First out of a text box, then the cursor and what is held. */
function letGo(): void {
  const focused = document.activeElement;
  if (isTyping(focused)) {
    (focused as HTMLElement).blur();
    return;
  }
  moveCursor(null);
  hover(null, "table");
  useScene.setState({ held: null });
  if (useView.getState().pin !== null) change({ pin: null });
}

function safely(filter: string): (name: string) => boolean {
  try {
    const pattern = compile(filter);
    return (name) => pattern.matches(name);
  } catch {
    return () => true;
  }
}
