/** Lines of code with a button that copies them. */

import { useWords } from "../../i18n/words";
import style from "./code-sample.module.css";
import { CopyButton } from "./copy-button";

export function CodeSample({ children }: { children: string }) {
  const say = useWords();
  return (
    <div className={style.code}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled by keys too */}
      <pre tabIndex={0}>{children}</pre>
      <CopyButton text={children} label={say("action.copy")} />
    </div>
  );
}
