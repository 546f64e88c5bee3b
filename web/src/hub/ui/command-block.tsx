/** A command as it is typed, to be read whole and copied. */

import { useWords } from "../../i18n/words";
import { commandText } from "../../lib/shell-words";
import { visibleText } from "../../lib/visible-text";
import style from "./command-block.module.css";
import { CopyButton } from "./copy-button";

export function CommandBlock({ command, testId }: { command: readonly string[]; testId?: string }) {
  const say = useWords();
  const text = commandText(command);
  return (
    <div className={style.command}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0} data-testid={testId}>
        {visibleText(text)}
      </pre>
      <CopyButton text={text} what={say("hub.job.command")} />
    </div>
  );
}
