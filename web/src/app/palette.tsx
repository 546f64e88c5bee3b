/** The palette, loaded when it is opened for the first time. What is typed meanwhile is not lost. */

import { lazy, Suspense, useEffect, useRef } from "react";
import type { Hands } from "./actions";

const load = () => import("./palette-door");
const Door = lazy(load);

/** On the way to the button: it will be asked for in a moment. */
export function preloadPalette(): void {
  void load();
}

export function LazyPalette({ hands, onClose }: { hands(): Hands; onClose(): void }) {
  const ahead = useTypedAhead(onClose);
  return (
    <Suspense>
      <Door hands={hands} ahead={ahead} onClose={onClose} />
    </Suspense>
  );
}

/** Letters typed before there is a box; once the dialog is open they are its own. */
function useTypedAhead(onClose: () => void): () => string {
  const typed = useRef("");
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (document.querySelector("dialog[open]")) return;
      if (event.key === "Escape") onClose();
      else if (event.key === "Backspace") typed.current = typed.current.slice(0, -1);
      else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
        typed.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener("keydown", press, true);
    return () => removeEventListener("keydown", press, true);
  }, [onClose]);
  return () => typed.current;
}
