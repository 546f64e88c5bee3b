/** The heading of a section that can be folded: name, count, and actions for all of its items. */

import type { ComponentProps, ReactNode } from "react";
import style from "./fold-head.module.css";
import { Icon } from "./icon";

interface FoldHeadProps extends Omit<ComponentProps<"div">, "title"> {
  title: string;
  /** Formatted for display. */
  count: string;
  folded: boolean;
  onFold(): void;
  /** Shown to the right of the count. */
  beside?: ReactNode;
  /** Shown at the end while the pointer or the focus is near. */
  actions?: ReactNode;
}

export function FoldHead({
  title,
  count,
  folded,
  onFold,
  beside,
  actions,
  className,
  ...rest
}: FoldHeadProps) {
  return (
    <div className={[style.head, className].filter(Boolean).join(" ")} {...rest}>
      <h2>
        <button type="button" className={style.fold} aria-expanded={!folded} onClick={onFold}>
          <Icon name="down" size={14} />
          <bdi className={style.name}>{title}</bdi>
          <span className={style.count}>{count}</span>
        </button>
      </h2>
      {beside}
      <span className={style.grow} />
      <span className={style.quiet}>{actions}</span>
    </div>
  );
}
