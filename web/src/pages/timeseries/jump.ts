/** Going to one card, as the search of the header asks: unfolds its section and scrolls there. */

import { useEffect, useRef } from "react";
import { onJump } from "../../state/jump";
import type { Row } from "./rows";

const FLASH_MS = 1200;

export function useJump(rows: readonly Row[], scrollTo: (at: number) => void): void {
  const latest = useRef({ rows, scrollTo });
  latest.current = { rows, scrollTo };
  useEffect(
    () =>
      onJump((tag) => {
        const { rows: now, scrollTo: go } = latest.current;
        const at = now.findIndex(
          (row) => row.kind === "cards" && row.cards.some(({ card }) => card.tag === tag),
        );
        if (at < 0) return;
        go(at);
        setTimeout(() => flash(tag), 50);
      }),
    [],
  );
}

/** Lets the eye find the card. */
function flash(tag: string): void {
  const card = document.querySelector<HTMLElement>(`[data-testid="card"][data-tag="${CSS.escape(tag)}"]`);
  if (!card) return;
  card.dataset.flash = "";
  card.querySelector<HTMLElement>('[role="img"]')?.focus({ preventScroll: true });
  setTimeout(() => delete card.dataset.flash, FLASH_MS);
}
