/** A page with one large picture, or why there is none. */

import type { ReactNode } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import style from "./picture-page.module.css";

interface PicturePageProps {
  page: string;
  /** Why its list could not be read; null if it was, or is being read. */
  problem: string | null;
  onRetry(): void;
  /** Null while its list is read. */
  children: ReactNode;
}

export function PicturePage({ page, problem, onRetry, children }: PicturePageProps) {
  const say = useWords();
  return (
    <main
      className={style.page}
      data-page={page}
      id="cards"
      tabIndex={-1}
      aria-busy={children === null && problem === null}
    >
      {problem !== null && (
        <div className={style.failed} role="alert">
          <p>{problem}</p>
          <Button icon="reload" onClick={onRetry}>
            {say("action.retry")}
          </Button>
        </div>
      )}
      {children}
    </main>
  );
}
