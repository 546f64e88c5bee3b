/** Width and folding of the side bar, stored in this browser. */

import { create } from "zustand";

export const SIDE_MIN_PX = 220;
export const SIDE_MAX_PX = 720;
const SIDE_PX = 316;
const KEY = "lightboard.side";

interface SideBar {
  width: number;
  folded: boolean;
  resize(width: number): void;
  toggle(): void;
}

export const useSideBar = create<SideBar>()((set, get) => ({
  ...stored(),
  resize(width) {
    set({ width });
    store(get());
  },
  toggle() {
    set({ folded: !get().folded });
    store(get());
  },
}));

function stored(): Pick<SideBar, "width" | "folded"> {
  try {
    const { width, folded } = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<SideBar>;
    const fits = typeof width === "number" && width >= SIDE_MIN_PX && width <= SIDE_MAX_PX;
    return { width: fits ? width : SIDE_PX, folded: folded === true };
  } catch {
    return { width: SIDE_PX, folded: false };
  }
}

function store({ width, folded }: SideBar): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ width, folded }));
  } catch {
    // Storage may be forbidden; the width then lasts as long as the page.
  }
}
