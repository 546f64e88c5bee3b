/** Code or a command in a box, to be read whole, with a button beside it that copies it. */

import type { ReactNode } from "react";
import style from "./code-box.module.css";

interface CodeBoxProps {
  children: string;
  copy: ReactNode;
  /** Whether long lines are wrapped, in a box of a limited height; otherwise they are scrolled. */
  isWrapped?: boolean;
  testId?: string | undefined;
}

export function CodeBox({ children, copy, isWrapped = false, testId }: CodeBoxProps) {
  return (
    <div className={style.box}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0} className={isWrapped ? style.wrapped : undefined} data-testid={testId}>
        {children}
      </pre>
      {copy}
    </div>
  );
}
