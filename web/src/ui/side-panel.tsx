/** A panel beside a picture; below it where there is no room. */

import type { ReactNode } from "react";
import style from "./side-panel.module.css";

export function SidePanel({ label, children }: { label: string; children: ReactNode }) {
  return (
    <aside className={style.side} aria-label={label}>
      {children}
    </aside>
  );
}
