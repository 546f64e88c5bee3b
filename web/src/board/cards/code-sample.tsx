/** Lines of code with a button that copies them. */

import { useWords } from "../../i18n/words";
import { CodeBox } from "../../ui/code-box";
import { CopyButton } from "../../ui/copy-button";
import { notify } from "../view/notice";

export function CodeSample({ children }: { children: string }) {
  const say = useWords();
  const copy = (
    <CopyButton text={children} label={say("action.copy")} onRefused={() => notify("notice.notCopied")} />
  );
  return <CodeBox copy={copy}>{children}</CodeBox>;
}
