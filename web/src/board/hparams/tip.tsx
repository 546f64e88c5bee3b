/** The tooltip of the trial under the pointer. */

import { createPortal } from "react-dom";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import style from "./tip.module.css";

export interface TipAt {
  /** Position in the window. */
  x: number;
  y: number;
  row: number;
  lines: readonly string[];
}

/** Distance from the pointer. */
const AWAY_PX = 14;
const ROOM_PX = 260;

export function Tip({ at, label, color }: { at: TipAt; label: string; color: string }) {
  const left = at.x + AWAY_PX + ROOM_PX > window.innerWidth;
  const above = at.y > window.innerHeight / 2;
  return createPortal(
    <div
      className={style.tip}
      data-testid="trial-tip"
      style={{
        [left ? "right" : "left"]: left ? window.innerWidth - at.x + AWAY_PX : at.x + AWAY_PX,
        [above ? "bottom" : "top"]: above ? window.innerHeight - at.y + AWAY_PX : at.y + AWAY_PX,
      }}
      aria-hidden="true"
    >
      <div className={style.name}>
        <Swatch color={color} dash={0} />
        <WrappedName name={label} title="" />
      </div>
      {at.lines.map((line) => (
        <div key={line} className={style.line}>
          <bdi>{line}</bdi>
        </div>
      ))}
    </div>,
    document.body,
  );
}
