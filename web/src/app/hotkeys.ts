/** The keys of the whole page. Off while somebody types; never a lone key the browser wants for itself. */

import { useCallback, useEffect, useRef } from "react";
import { useListedRuns } from "../state/facts";
import { KIND_PAGES, OTHER_PAGE } from "../state/kinds";
import { hover, moveCursor, useScene } from "../state/scene";
import { change, commit, useView } from "../state/view";
import { useSwitchedOn } from "../state/visible";
import { ACTIONS, type Action, type Hands } from "./actions";
import { pressed } from "./keynames";

/** The second key of a pair must come within this. */
const PAIR_MS = 1000;

const BY_KEY: ReadonlyMap<string, Action> = new Map(
  ACTIONS.flatMap((action) => action.keys.map((key) => [key, action] as const)),
);
/** After `g`: the pages of data kinds. */
const DATA_PAGES: Readonly<Record<string, string>> = Object.fromEntries(
  [...KIND_PAGES, OTHER_PAGE].flatMap(({ key, page }) => (key ? [[key, page]] : [])),
);
/** These work in a text box too, and over a dialog. */
const EVERYWHERE = ["Ctrl+k", "Alt+m"];

export type HotkeyActions = Omit<Hands, "runs" | "visible">;

/** What the actions need, kept fresh; the keys are listened to as long as the shell stands. */
export function useHotkeys(actions: HotkeyActions): () => Hands {
  const runs = useListedRuns();
  const visible = useSwitchedOn();
  const latest = useRef<Hands>({ ...actions, runs, visible });
  latest.current = { ...actions, runs, visible };
  useEffect(() => {
    let pairUntil = 0;
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      if (event.key === "Escape") {
        // A dialog closes by itself.
        if (document.querySelector("dialog[open]")) return;
        // Browsers empty a search box on Esc; here it only leaves it.
        if (isTyping(event.target)) event.preventDefault();
        letGo();
        return;
      }
      const key = pressed(event);
      const busy = isTyping(event.target) || document.querySelector("dialog[open]") !== null;
      if (busy && !EVERYWHERE.includes(key)) return;
      if (key === "Space" && isControl(event.target)) return;
      const isPair = performance.now() < pairUntil;
      pairUntil = key === "g" && !isPair ? performance.now() + PAIR_MS : 0;
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

/** What the space bar presses by itself. */
function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("button, a, input, [role=menuitem]") !== null;
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
  const { pin, range } = useView.getState();
  if (pin !== null || range !== null) change({ pin: null, range: null });
}
