/** A form that is sent once at a time, says what was refused, and keeps what was typed. */

import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import { faultText } from "../state/notice";
import { noticeEnd } from "../state/queries";
import style from "./form.module.css";

interface FormProps {
  children: ReactNode;
  verb: string;
  ready?: boolean;
  onSend(): Promise<unknown>;
  onCancel?: (() => void) | undefined;
  /** Stands left of the buttons. */
  beside?: ReactNode;
  /** The button has the width of the form. */
  wide?: boolean;
}

export function Form({ children, verb, ready = true, onSend, onCancel, beside, wide = false }: FormProps) {
  const say = useWords();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || !ready) return;
    setBusy(true);
    setFault("");
    try {
      await onSend();
    } catch (thrown) {
      noticeEnd(thrown);
      setFault(faultText(thrown));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={style.form} onSubmit={(event) => void send(event)}>
      {children}
      {fault && (
        <p className={style.fault} role="alert">
          {fault}
        </p>
      )}
      <div className={style.foot}>
        {beside && <div className={style.beside}>{beside}</div>}
        {onCancel && <Button onClick={onCancel}>{say("action.cancel")}</Button>}
        <Button
          type="submit"
          look="primary"
          className={wide ? style.wide : undefined}
          disabled={!ready}
          aria-busy={busy}
        >
          {verb}
        </Button>
      </div>
    </form>
  );
}
