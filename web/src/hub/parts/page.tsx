/** One page of the console: its title, what can be done on it, and what it is about. */

import { type ReactNode, useEffect } from "react";
import { ApiError } from "../../api/client";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import { faultText } from "../state/notice";
import style from "./page.module.css";

interface PageProps {
  name: string;
  title: string;
  /** What is its own for a crumb line above the title. */
  above?: ReactNode;
  beside?: ReactNode;
  actions?: ReactNode;
  /** Still being read. */
  busy?: boolean;
  /** As high as the window: something in it scrolls by itself. */
  whole?: boolean;
  children: ReactNode;
}

export function Page({
  name,
  title,
  above,
  beside,
  actions,
  busy = false,
  whole = false,
  children,
}: PageProps) {
  useEffect(() => {
    document.title = `${title} · Lightboard`;
  }, [title]);
  useEffect(() => {
    if (!busy) document.documentElement.dataset.ready = "true";
  }, [busy]);
  return (
    <main className={style.page} id="page" tabIndex={-1} data-page={name} aria-busy={busy}>
      <div className={whole ? `${style.column} ${style.whole}` : style.column}>
        {above && <div className={style.above}>{above}</div>}
        <div className={style.head}>
          <div className={style.named}>
            <h1 className={style.title}>
              <bdi>{title}</bdi>
            </h1>
            {beside}
          </div>
          {actions && <div className={style.actions}>{actions}</div>}
        </div>
        {children}
      </div>
    </main>
  );
}

/** Why there is nothing to show, and the way on. */
export function Fault({ fault, onRetry }: { fault: Error; onRetry?: () => void }) {
  const say = useWords();
  // The server speaks English.
  const told = fault instanceof ApiError && !fault.unreachable;
  const denied = fault instanceof ApiError && fault.status === 403;
  const missing = fault instanceof ApiError && fault.status === 404;
  return (
    <div className={style.fault} role="alert">
      <h2>{say(denied ? "hub.fault.denied" : missing ? "hub.fault.missing" : "hub.fault.title")}</h2>
      <p>
        <bdi lang={told ? "en" : undefined}>{faultText(fault)}</bdi>
      </p>
      {denied && fault.hint === "" && <p>{say("hub.fault.askOwner")}</p>}
      {onRetry && !denied && !missing && <Button onClick={onRetry}>{say("action.retry")}</Button>}
    </div>
  );
}

/** A place where there is nothing yet. */
export function Nothing({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={style.nothing}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
