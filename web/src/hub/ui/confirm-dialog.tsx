/** Asks for confirmation before something that cannot be undone. */

import { type ReactNode, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { errorText } from "../data/notice";
import style from "./form.module.css";

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  /** Label of the button. */
  verb: string;
  onClose(): void;
  /** The dialog closes when it resolves, and shows the error if it rejects. */
  onConfirm(): Promise<unknown>;
}

export function ConfirmDialog({ title, children, verb, onClose, onConfirm }: ConfirmDialogProps) {
  const say = useWords();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const confirm = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch (thrown) {
      setFault(errorText(thrown));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title} closeLabel={say("action.close")} open onClose={onClose}>
      <div className={style.form}>
        <div className={style.text}>{children}</div>
        {fault && (
          <p className={style.fault} role="alert">
            {fault}
          </p>
        )}
        <div className={style.foot}>
          <Button data-first onClick={onClose}>
            {say("action.cancel")}
          </Button>
          <Button className={style.danger} aria-busy={busy} onClick={() => void confirm()}>
            {verb}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
