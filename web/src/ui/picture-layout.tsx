/** A picture that fills the page: a bar above it, and a `SidePanel` beside it. */

import type { ReactNode } from "react";
import style from "./picture-layout.module.css";

interface PictureLayoutProps {
  bar: ReactNode;
  side?: ReactNode;
  children: ReactNode;
}

/** Attributes of data go to its element. */
export function PictureLayout({ bar, side, children, ...data }: PictureLayoutProps) {
  return (
    <div className={style.layout} {...data}>
      {bar}
      <div className={style.body}>
        <div className={style.main}>{children}</div>
        {side}
      </div>
    </div>
  );
}
