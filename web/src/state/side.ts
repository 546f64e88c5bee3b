/** Width and fold of the side bar, kept on this machine. */

import { create } from "zustand";

export const SIDE_MIN_PX = 220;
export const SIDE_MAX_PX = 720;
const SIDE_PX = 316;
const KEY = "lightboard.side";

interface Side {
  width: number;
  folded: boolean;
  resize(width: number): void;
  toggle(): void;
}

export const useSide = create<Side>()((set, get) => ({
  ...kept(),
  resize(width) {
    set({ width });
    keep(get());
  },
  toggle() {
    set({ folded: !get().folded });
    keep(get());
  },
}));

function kept(): Pick<Side, "width" | "folded"> {
  try {
    const { width, folded } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Side>;
    const fits = typeof width === "number" && width >= SIDE_MIN_PX && width <= SIDE_MAX_PX;
    return { width: fits ? width : SIDE_PX, folded: folded === true };
  } catch {
    return { width: SIDE_PX, folded: false };
  }
}

function keep({ width, folded }: Side): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ width, folded }));
  } catch {
    // Storage may be forbidden; the width then lasts as long as the page.
  }
}
