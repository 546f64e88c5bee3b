/** A centred page: login, setup, and boards that are not running. */

import { type ReactNode, useEffect } from "react";
import { visibleText } from "../../lib/visible-text";
import { Logo } from "../../ui/logo";
import style from "./centered-page.module.css";

interface CenteredPageProps {
  title: string;
  children: ReactNode;
  /** Announce changes to screen readers. */
  live?: boolean;
  busy?: boolean;
}

export function CenteredPage({ title: text, children, live = false, busy = false }: CenteredPageProps) {
  const title = visibleText(text);
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
