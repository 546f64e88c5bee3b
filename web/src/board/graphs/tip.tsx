/** What is under the pointer: a box, or a line. */

import { useEffect, useState } from "react";
import { bytes, count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import style from "../../ui/tip.module.css";
import { parameterText } from "./box-text";
import type { Picture } from "./geometry/picture";
import type { Point, Size } from "./geometry/shapes";
import type { GraphStage, Hovered } from "./stage";

/** Shows what is under the pointer; null hides it. */
export type ShowTip = (what: Hovered | null, at: Point) => void;

interface LiveTipProps {
  picture: Picture;
  stage: GraphStage;
  /** Gets what shows the tip. */
  show: { current: ShowTip | null };
}

/** The tip, which renders itself while the pointer moves, and nothing around it. */
export function LiveTip({ picture, stage, show }: LiveTipProps) {
  const [hovered, setHovered] = useState<{ what: Hovered; at: Point } | null>(null);
  useEffect(() => {
    show.current = (what, at) => setHovered(what && { what, at });
    return () => {
      show.current = null;
    };
  }, [show]);
  return hovered && <Tip picture={picture} hovered={hovered.what} at={hovered.at} room={stage.size} />;
}

interface TipProps {
  picture: Picture;
  hovered: Hovered;
  at: Point;
  room: Size;
}

const OFFSET = 14;

function Tip({ picture, hovered, at, room }: TipProps) {
  const right = at.x > room.width * 0.6;
  const below = at.y > room.height * 0.65;
  const place = {
    ...(right ? { right: room.width - at.x + OFFSET } : { left: at.x + OFFSET }),
    ...(below ? { bottom: room.height - at.y + OFFSET } : { top: at.y + OFFSET }),
  };
  return (
    <div className={style.inside} style={place} role="tooltip" data-testid="graph-tip">
      {hovered.box ? <BoxTip hovered={hovered} /> : <WireTip picture={picture} wire={hovered.wire} />}
    </div>
  );
}

function BoxTip({ hovered }: { hovered: Hovered & { wire: null } }) {
  const say = useWords();
  const { box } = hovered.box;
  const facts = [
    box.op,
    box.nodes > 1 ? say("graphs.nodes", { count: box.nodes }) : "",
    box.parameters ? parameterText(box.parameters) : "",
    box.memory ? bytes(box.memory) : "",
    box.device,
  ].filter((part) => part !== "");
  return (
    <>
      <div className={style.title}>{box.kind === "rest" ? hovered.box.text.title : box.label}</div>
      {facts.length > 0 && <div className={style.note}>{facts.join(" · ")}</div>}
    </>
  );
}

function WireTip({ picture, wire }: { picture: Picture; wire: number }) {
  const say = useWords();
  const line = picture.wires[wire];
  if (!line) return null;
  const nameOf = (at: number) => {
    const end = picture.boxes[at];
    return end ? end.box.label || end.text.title : say("graphs.outside");
  };
  const facts = [
    line.shape,
    line.control ? say("graphs.control") : "",
    line.count > 1 ? say("graphs.edgeCount", { count: line.count }) : "",
    line.elements !== null && line.elements > 1
      ? say("graphs.elements", { count: count(line.elements) })
      : "",
  ].filter((part) => part !== "");
  return (
    <>
      <div className={style.title}>
        {nameOf(line.source)} → {nameOf(line.target)}
      </div>
      {facts.length > 0 && <div className={style.note}>{facts.join(" · ")}</div>}
    </>
  );
}
