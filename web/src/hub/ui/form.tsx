/** A form that is submitted once at a time, shows errors, and keeps its contents. */

import { type FormEvent, type ReactNode, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { errorText } from "../data/notice";
import { endSession } from "../data/queries";
import style from "./form.module.css";

interface FormProps {
  children: ReactNode;
  verb: string;
  ready?: boolean;
  onSend(): Promise<unknown>;
  onCancel?: (() => void) | undefined;
  /** Shown to the left of the buttons. */
  beside?: ReactNode;
  /** The button is as wide as the form. */
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
      endSession(thrown);
      setFault(errorText(thrown));
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
          variant="primary"
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

/** Shows and hides the fields that are seldom needed. */
export function AdvancedSwitch({ open, onChange }: { open: boolean; onChange(open: boolean): void }) {
  const say = useWords();
  return (
    <div className={style.more}>
      <Button
        variant="quiet"
        size="small"
        icon={open ? "down" : "right"}
        aria-expanded={open}
        data-testid="advanced"
        onClick={() => onChange(!open)}
      >
        {say("hub.new.advanced")}
      </Button>
    </div>
  );
}
