/** The life span of a TensorBoard or job: when it ends, and a button that extends it while it runs. */

import { useState } from "react";
import { dateTime, duration } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { TextBox } from "../../ui/text-box";
import { useNow } from "../data/clock";
import { spanSecs } from "../data/job-values";
import { Form } from "./form";
import style from "./life-span.module.css";

interface LifeSpanProps {
  of: { life_span_secs: number; expires_at: number | null };
  name: string;
  /** Whether the account may extend it. */
  extensible: boolean;
  /** Extends it by seconds; rejects if the server refuses. */
  onExtend(secs: number): Promise<void>;
}

export function LifeSpan({ of: { life_span_secs: secs, expires_at: end }, name, ...props }: LifeSpanProps) {
  const say = useWords();
  const now = useNow();
  const [asked, setAsked] = useState(false);
  const span = secs === 0 ? say("hub.span.never") : duration(secs);
  if (end === null) return span;
  return (
    <span className={style.span}>
      <span>
        {say("hub.detail.endsIn", { span, time: duration(Math.max(0, end - now)), end: dateTime(end) })}
      </span>
      {props.extensible && (
        <Button size="small" data-testid="extend" onClick={() => setAsked(true)}>
          {say("hub.act.extendDots")}
        </Button>
      )}
      {asked && (
        <ExtendDialog name={name} end={end} onExtend={props.onExtend} onClose={() => setAsked(false)} />
      )}
    </span>
  );
}

interface ExtendDialogProps {
  name: string;
  /** When it ends now, in seconds since the epoch. */
  end: number;
  onExtend(secs: number): Promise<void>;
  onClose(): void;
}

function ExtendDialog({ name, end, onExtend, onClose }: ExtendDialogProps) {
  const say = useWords();
  const [text, setText] = useState("1d");
  const secs = spanSecs(text) ?? 0;
  return (
    <Dialog title={say("hub.extend.title", { name })} closeLabel={say("action.close")} open onClose={onClose}>
      <Form
        verb={say("hub.act.extend")}
        ready={secs > 0}
        onSend={async () => {
          await onExtend(secs);
          onClose();
        }}
        onCancel={onClose}
      >
        <TextBox
          label={say("hub.extend.by")}
          value={text}
          onChange={setText}
          hint={say("hub.extend.until", { end: dateTime(end + secs) })}
          fault={secs > 0 ? null : say("hub.extend.fault")}
        />
      </Form>
    </Dialog>
  );
}
