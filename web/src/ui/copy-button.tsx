/** A button that copies a text, and says for a moment that it did. */

import { useEffect, useState } from "react";
import { useWords } from "../i18n/words";
import { copyText } from "../lib/clipboard";
import { Button } from "./button";

const COPIED_MS = 2000;

interface CopyButtonProps {
  text: string;
  label: string;
  /** Called where the browser refuses. */
  onRefused: () => void;
}

export function CopyButton({ text, label, onRefused }: CopyButtonProps) {
  const say = useWords();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    if (await copyText(text)) setCopied(true);
    else onRefused();
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
