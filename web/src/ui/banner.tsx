/** A banner below the header of the page while something is wrong with what it shows. */

import type { ReactNode } from "react";
import style from "./banner.module.css";
import { Icon } from "./icon";

export function Banner({ testId, children }: { testId: string; children: ReactNode }) {
  return (
    <div className={style.strip} role="status" data-testid={testId}>
      <Icon name="warning" />
      {children}
    </div>
  );
}
