/** Hotkeys of the whole page. Disabled while the user types; single keys that the browser needs are left to it. */

import { useCallback, useEffect, useRef } from "react";
import { KIND_PAGES, OTHER_PAGE } from "../data/kinds";
import { useListedRuns } from "../runs/run-details";
import { useSwitchedOn } from "../runs/visible-runs";
import { hover, moveCursor, useInteraction } from "../view/interaction";
import { change, commit, useView } from "../view/view";
import { ACTIONS, type Action, type ActionContext } from "./actions";
import { keyName } from "./key-names";

/** Time within which the second key of a pair must follow. */
const PAIR_MS = 1000;

const BY_KEY: ReadonlyMap<string, Action> = new Map(
  ACTIONS.flatMap((action) => action.keys.map((key) => [key, action] as const)),
);
/** Pages of data kinds, after `g`. */
const DATA_PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  [...KIND_PAGES, OTHER_PAGE].flatMap(({ key, page }) => (key ? [[key, page]] : [])),
);
/** Keys that also work in a text box and above a dialog. */
const EVERYWHERE = ["Ctrl+k", "Alt+m"];

export type HotkeyActions = Omit<ActionContext, "runs" | "visible">;

/** Listens for hotkeys while the shell is mounted; returns the current context of the actions. */
export function useHotkeys(actions: HotkeyActions): () => ActionContext {
  const runs = useListedRuns();
  const visible = useSwitchedOn();
  const latest = useRef<ActionContext>({ ...actions, runs, visible });
  latest.current = { ...actions, runs, visible };
  useEffect(() => {
    let pairUntil = 0;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (event.key === "Escape") {
        // Dialogs close by themselves.
        if (document.querySelector("dialog[open]")) return;
        // Browsers clear a search box on Esc; here Esc only leaves it.
        if (isTyping(event.target)) event.preventDefault();
        clearFocus();
        return;
      }
      const key = keyName(event);
      const busy = isTyping(event.target) || document.querySelector("dialog[open]") !== null;
      if (busy && !EVERYWHERE.includes(key)) return;
      if (key === "Space" && isControl(event.target)) return;
      // Times of the keys themselves: the page may have been too busy to hear of them at once.
      const isPair = event.timeStamp < pairUntil;
      pairUntil = key === "g" && !isPair ? event.timeStamp + PAIR_MS : 0;
      if (isPair && DATA_PAGES[key]) commit({ page: DATA_PAGES[key], subject: "" });
      else {
        const action = (isPair && BY_KEY.get(`g ${key}`)) || BY_KEY.get(key);
        if (!action?.run(latest.current, event)) return;
      }
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return useCallback(() => latest.current, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !["checkbox", "radio", "range", "button"].includes(target.type);
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}

/** Whether the space bar activates the element. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, a, input, [role=menuitem]") !== null;
}

/** Leaves a text box first, then clears the cursor and the held run. */
function clearFocus(): void {
  const focused = document.activeElement;
  if (isTyping(focused)) {
    (focused as HTMLElement).blur();
    return;
  }
  moveCursor(null);
  hover(null, "table");
  useInteraction.setState({ heldRun: null });
  const { pin, range } = useView.getState();
  if (pin !== null || range !== null) change({ pin: null, range: null });
}
