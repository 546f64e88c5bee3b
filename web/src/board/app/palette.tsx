/** The palette, loaded when it is first opened. What the user types meanwhile is kept. */

import { Suspense, useEffect, useRef } from "react";
import { lazyPart } from "../../ui/lazy-part";
import type { ActionContext } from "./actions";

const load = () => import("./palette-dialog");
const PaletteDialog = lazyPart(load);

/** Call when the pointer is on the button, as the palette will be needed soon. */
export function preloadPalette(): void {
  void load();
}

export function LazyPalette({ context, onClose }: { context(): ActionContext; onClose(): void }) {
  const ahead = useTypedAhead(onClose);
  return (
    <Suspense>
      <PaletteDialog context={context} ahead={ahead} onClose={onClose} />
    </Suspense>
  );
}

/** Collects letters typed before the dialog opens; afterwards they go to its box. */
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
