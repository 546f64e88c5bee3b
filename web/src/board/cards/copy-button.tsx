/** A button that copies a text, and says for a moment that it did. */

import { useState } from "react";
import { useWords } from "../../i18n/words";
import { copyText } from "../../lib/clipboard";
import { Button } from "../../ui/button";

const COPIED_MS = 1500;

export function CopyButton({ text, label }: { text: string; label: string }) {
  const say = useWords();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <Button
      variant="quiet"
      size="small"
      icon={copied ? "check" : "copy"}
      label={copied ? say("action.copied") : label}
      onClick={() => void copy()}
    />
  );
}
