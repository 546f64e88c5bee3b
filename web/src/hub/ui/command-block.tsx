/** A command as it is typed, to be read whole and copied. */

import { useWords } from "../../i18n/words";
import { commandText } from "../../lib/shell-words";
import { visibleText } from "../../lib/visible-text";
import { CodeBox } from "../../ui/code-box";
import { CopyButton } from "./copy-button";

export function CommandBlock({ command, testId }: { command: readonly string[]; testId?: string }) {
  const say = useWords();
  const text = commandText(command);
  return (
    <CodeBox isWrapped testId={testId} copy={<CopyButton text={text} what={say("hub.job.command")} />}>
      {visibleText(text)}
    </CodeBox>
  );
}
