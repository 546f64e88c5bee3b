/** The head of a section that can be folded: its name, how many it holds, and what can be done with all of them. */

import type { ComponentProps, ReactNode } from "react";
import style from "./fold-head.module.css";
import { Icon } from "./icon";

interface FoldHeadProps extends Omit<ComponentProps<"div">, "title"> {
  title: string;
  /** As people read it. */
  count: string;
  folded: boolean;
  onFold(): void;
  /** Stands right of the count. */
  beside?: ReactNode;
  /** Stands at the end, seen when the pointer or the focus is near. */
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
