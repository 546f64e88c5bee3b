/** A secret that is shown only once, with a copy button. */

import { useId, useState } from "react";
import { useWords } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { Button } from "../../ui/button";
import style from "./one-time-secret.module.css";

export function OneTimeSecret({ label, secret, hint }: { label: string; secret: string; hint: string }) {
  const say = useWords();
  const id = useId();
  const [copied, setCopied] = useState(false);
  return (
    <div className={style.once}>
      <label className={style.label} htmlFor={id}>
        {label}
      </label>
      <div className={style.row}>
        <input
          id={id}
          className={style.secret}
          readOnly
          value={secret}
          data-testid="once"
          onFocus={(event) => event.target.select()}
        />
        <Button icon={copied ? "check" : "copy"} onClick={async () => setCopied(await copyText(secret))}>
          {say(copied ? "action.copied" : "action.copy")}
        </Button>
      </div>
      <p className={style.hint} role="status">
        {hint}
      </p>
    </div>
  );
}
