/** A line at the foot of the page that goes by itself; a pointer on it keeps it. */

import { type ReactNode, useEffect, useState } from "react";
import { Button } from "./button";
import style from "./toast.module.css";

const SHOWN_MS = 6000;

interface ToastProps {
  /** Null: nothing to say. A new object begins the time anew. */
  notice: object | null;
  children: ReactNode;
  closeLabel: string;
  onClose(): void;
  action?: { label: string; onAct(): void } | null;
}

export function ToastLine({ notice, children, closeLabel, onClose, action = null }: ToastProps) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (notice === null || held) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, held, onClose]);
  return (
    <div className={style.place} role="status" aria-live="polite">
      {notice && (
        // biome-ignore lint/a11y/noStaticElementInteractions: a pointer on it only keeps it from going
        <div
          className={style.toast}
          data-testid={action ? "undo-toast" : "toast"}
          onMouseEnter={() => setHeld(true)}
          onMouseLeave={() => setHeld(false)}
        >
          <span>{children}</span>
          {action && (
            <Button look="quiet" size="small" className={style.undo} onClick={action.onAct}>
              {action.label}
            </Button>
          )}
          <Button look="quiet" size="small" icon="close" label={closeLabel} onClick={onClose} />
        </div>
      )}
    </div>
  );
}
