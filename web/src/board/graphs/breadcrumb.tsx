/** The scopes around the selected box. */

import { Fragment } from "react";
import { useWords } from "../../i18n/words";
import style from "./breadcrumb.module.css";
import type { Picture } from "./geometry/picture";

interface BreadcrumbProps {
  picture: Picture;
  /** Index of the selected box; -1 for none. */
  at: number;
  /** Shows a scope; "" is everything. */
  onFit(path: string): void;
}

export function Breadcrumb({ picture, at, onFit }: BreadcrumbProps) {
  const say = useWords();
  const around: number[] = [];
  for (let up = at; up >= 0; up = picture.boxes[up]!.parent) around.unshift(up);
  return (
    <nav className={style.crumbs} aria-label={say("graphs.crumbs")} data-testid="graph-crumbs">
      <button type="button" className={style.crumb} onClick={() => onFit("")}>
        {say("graphs.whole")}
      </button>
      {around.map((place) => {
        const { box, text } = picture.boxes[place]!;
        return (
          <Fragment key={box.path}>
            <span aria-hidden="true">›</span>
            <button
              type="button"
              className={style.crumb}
              aria-current={place === at ? "location" : undefined}
              onClick={() => onFit(box.path)}
            >
              {text.title}
            </button>
          </Fragment>
        );
      })}
    </nav>
  );
}
