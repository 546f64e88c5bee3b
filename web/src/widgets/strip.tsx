/** A line across the page, below its head, while something is wrong with what the page shows. */

import type { ReactNode } from "react";
import { Icon } from "./icon";
import style from "./strip.module.css";

export function Strip({ testId, children }: { testId: string; children: ReactNode }) {
  return (
    <div className={style.strip} role="status" data-testid={testId}>
      <Icon name="warning" />
      {children}
    </div>
  );
}
