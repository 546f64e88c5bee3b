/** Copies a text of the hub. */

import { useWords } from "../../i18n/words";
import { CopyButton as PlainCopyButton } from "../../ui/copy-button";
import { notify } from "../data/notice";

/** `what` names the text for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const say = useWords();
  return (
    <PlainCopyButton
      text={text}
      label={say("hub.copy", { what })}
      onRefused={() => notify(say("notice.notCopied"))}
    />
  );
}
