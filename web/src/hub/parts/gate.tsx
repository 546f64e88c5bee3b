/** A page in the middle of the window: of somebody who is not in yet, or at a door that does not open now. */

import { type ReactNode, useEffect } from "react";
import { Logo } from "../../widgets/logo";
import style from "./gate.module.css";

interface GateProps {
  title: string;
  children: ReactNode;
  /** What readers of the screen hear when it changes by itself. */
  live?: boolean;
  busy?: boolean;
}

export function Gate({ title, children, live = false, busy = false }: GateProps) {
  useEffect(() => {
    document.title = `${title} · Lightboard`;
    if (!busy) document.documentElement.dataset.ready = "true";
  }, [title, busy]);
  return (
    <main className={style.gate} id="page" data-page="gate">
      <div className={style.card} aria-live={live ? "polite" : undefined}>
        <Logo />
        <h1 className={style.title}>
          <bdi>{title}</bdi>
        </h1>
        {children}
      </div>
    </main>
  );
}
