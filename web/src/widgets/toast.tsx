/** A line at the foot of the page, above any dialog, that goes by itself; a pointer or the keyboard on it keeps it. */

import { type ReactNode, useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { Button } from "./button";
import { useTopModal } from "./modal";
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
  const [held, setHeld] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said anew has its time anew
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, held, onClose]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a pointer on it only keeps it from going
    <div
      className={style.toast}
      data-testid={action ? "undo-toast" : "toast"}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{children}</span>
      {action && (
        <Button look="quiet" size="small" className={style.undo} onClick={action.onAct}>
          {action.label}
        </Button>
      )}
      <Button look="quiet" size="small" icon="close" label={closeLabel} onClick={onClose} />
    </div>
  );
}
