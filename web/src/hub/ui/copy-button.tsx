/** Copies a text; says so for a moment. */

import { useEffect, useState } from "react";
import { useWords } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { Button } from "../../ui/button";
import { notify } from "../data/notice";

const SAID_MS = 2000;

/** `what` names the text for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const say = useWords();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else notify(say("notice.notCopied"));
  };
  return (
    <Button
      variant="quiet"
      size="small"
      icon={copied ? "check" : "copy"}
      label={copied ? say("action.copied") : say("hub.copy", { what })}
      onClick={() => void copy()}
    />
  );
}
