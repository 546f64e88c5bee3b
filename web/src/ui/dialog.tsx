/** A modal dialog. The native element keeps the focus inside, closes on Esc and restores the focus. */

import { type ReactNode, useLayoutEffect, useState } from "react";
import { Button } from "./button";
import style from "./dialog.module.css";
import { openModal } from "./modal";
import { PopupLayer } from "./popup-layer";

interface DialogProps {
  title: string;
  closeLabel: string;
  open: boolean;
  onClose(): void;
  children: ReactNode;
  /** A sheet at the left edge instead of a box in the middle. */
  side?: boolean;
  /** Room for two columns. */
  wide?: boolean;
}

export function Dialog({
  title,
  closeLabel,
  open,
  onClose,
  children,
  side = false,
  wide = false,
}: DialogProps) {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  // Closed before React removes it: the browser does not restore the focus for an element that is gone.
  useLayoutEffect(() => {
    if (!open || !dialog) return;
    return openModal(dialog);
  }, [open, dialog]);
  if (!open) return null;
  const look = [style.dialog, side && style.side, wide && style.wide].filter(Boolean).join(" ");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it too; the click is on the backdrop
    <dialog
      ref={setDialog}
      className={look}
      aria-label={title}
      // In React, the close event of a dialog opened from this one bubbles up to it.
      onClose={(event) => event.target === event.currentTarget && onClose()}
      onClick={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={style.head}>
        <h2>{title}</h2>
        <Button variant="quiet" icon="close" label={closeLabel} onClick={onClose} />
      </div>
      <div className={style.body}>
        <PopupLayer value={dialog}>{children}</PopupLayer>
      </div>
    </dialog>
  );
}
