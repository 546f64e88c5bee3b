/**
 * A notice at the foot of the page, above any dialog. It disappears by itself, unless the pointer or the focus is on
 * it.
 */

import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "./button";
import { useTopModal } from "./modal";
import style from "./toast.module.css";

const SHOWN_MS = 6000;

interface ToastProps {
  /** Null hides it. A new object restarts the timer. */
  notice: object | null;
  children: ReactNode;
  closeLabel: string;
  onClose(): void;
  action?: { label: string; onAction(): void } | null;
}

export function ToastLine(props: ToastProps) {
  const dialog = useTopModal();
  const place = (
    <div className={style.place} role="status" aria-live="polite">
      {props.notice && <Toast {...props} />}
    </div>
  );
  return dialog ? createPortal(place, dialog) : place;
}

function Toast({ notice, children, closeLabel, onClose, action = null }: ToastProps) {
  const [paused, setPaused] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said anew has its time anew
  useEffect(() => {
    if (paused) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, paused, onClose]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer on it only keeps it from going
    <div
      className={style.toast}
      data-testid={action ? "undo-toast" : "toast"}
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <span>{children}</span>
      {action && (
        <Button variant="quiet" size="small" className={style.undo} onClick={action.onAction}>
          {action.label}
        </Button>
      )}
      <Button variant="quiet" size="small" icon="close" label={closeLabel} onClick={onClose} />
    </div>
  );
}
