/** Asks once before something is done that cannot be taken back. */

import { type ReactNode, useState } from "react";
import { Button } from "../../widgets/button";
import { Dialog } from "../../widgets/dialog";
import { useWords } from "../../words/words";
import { faultText } from "../state/notice";
import style from "./form.module.css";

interface AskProps {
  title: string;
  children: ReactNode;
  /** What the button says. */
  verb: string;
  onClose(): void;
  /** Closed when it is done; what is thrown is said. */
  onYes(): Promise<unknown>;
}

export function Ask({ title, children, verb, onClose, onYes }: AskProps) {
  const say = useWords();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const yes = async () => {
    if (busy) return;
    setBusy(true);
    try {
      await onYes();
      onClose();
    } catch (thrown) {
      setFault(faultText(thrown));
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
          <Button onClick={onClose}>{say("action.cancel")}</Button>
          <Button className={style.danger} aria-busy={busy} onClick={() => void yes()}>
            {verb}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
