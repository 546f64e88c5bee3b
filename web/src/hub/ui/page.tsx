/** The frame of a page of the console: title, actions, contents. */

import { type ReactNode, useEffect } from "react";
import { ApiError } from "../../api/client";
import { useWords } from "../../i18n/words";
import { visibleText } from "../../lib/visible-text";
import { Button } from "../../ui/button";
import { serverMessage } from "../data/notice";
import style from "./page.module.css";

interface PageProps {
  name: string;
  title: string;
  /** Shown above the title, such as breadcrumbs. */
  above?: ReactNode;
  beside?: ReactNode;
  actions?: ReactNode;
  /** Loading. */
  busy?: boolean;
  /** As high as the window, for pages in which something scrolls by itself. */
  whole?: boolean;
  children: ReactNode;
}

export function Page({
  name,
  title: text,
  above,
  beside,
  actions,
  busy = false,
  whole = false,
  children,
}: PageProps) {
  const title = visibleText(text);
  const windowTitle = useWords()("hub.shell.title", { title });
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);
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

/** An error in place of the contents, with a retry button. */
export function ErrorNotice({ fault, onRetry }: { fault: Error; onRetry?: () => void }) {
  const say = useWords();
  // Messages of the server are in English.
  const fromServer = fault instanceof ApiError && !fault.unreachable;
  const denied = fault instanceof ApiError && fault.status === 403;
  const missing = fault instanceof ApiError && fault.status === 404;
  return (
    <div className={style.fault} role="alert">
      <h2>{say(denied ? "hub.fault.denied" : missing ? "hub.fault.missing" : "hub.fault.title")}</h2>
      <p>
        <bdi lang={fromServer ? "en" : undefined}>{serverMessage(fault)}</bdi>
      </p>
      {denied && fault.hint === "" && <p>{say("hub.fault.askOwner")}</p>}
      {onRetry && !denied && !missing && <Button onClick={onRetry}>{say("action.retry")}</Button>}
    </div>
  );
}

/** Shown where there is nothing yet. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={style.nothing}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
