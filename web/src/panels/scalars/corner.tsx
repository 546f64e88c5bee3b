/** The corner of a card: dragged outwards the card takes the whole width, inwards its usual place. */

import type { PointerEvent } from "react";
import { choose } from "../../state/cards";
import { useWords } from "../../words/words";
import style from "./scalar-card.module.css";

/** As far as a hand means it. */
const MEANT_PX = 48;

export function Corner({ tag }: { tag: string }) {
  const say = useWords();
  const down = (event: PointerEvent<HTMLDivElement>) => {
    const corner = event.currentTarget;
    const from = event.clientX;
    corner.setPointerCapture(event.pointerId);
    corner.onpointermove = ({ clientX }) => {
      if (Math.abs(clientX - from) < MEANT_PX) return;
      corner.onpointermove = null;
      choose(tag, { wide: clientX > from });
    };
  };
  const up = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.onpointermove = null;
  };
  // The menu of the card is the way for keys.
  return (
    <div
      className={style.corner}
      aria-hidden="true"
      title={say("card.resize")}
      onPointerDown={down}
      onPointerUp={up}
    />
  );
}
