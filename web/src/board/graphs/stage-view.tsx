/** The picture with its tools, the small map, and the outline for keyboards and screen readers. */

import { type ReactNode, useEffect, useRef } from "react";
import { useWords } from "../../i18n/words";
import { ZoomButtons } from "../../ui/zoom-buttons";
import { GraphStage, type StageEvents, type StageStyle } from "./stage";
import style from "./stage-view.module.css";

interface StageViewProps {
  stage: GraphStage | null;
  onStage(stage: GraphStage | null): void;
  look: StageStyle;
  events: StageEvents;
  onFit(): void;
  testId: string;
  children?: ReactNode;
}

export function StageView({ stage, onStage, look, events, onFit, testId, children }: StageViewProps) {
  const say = useWords();
  const host = useRef<HTMLDivElement>(null);
  const map = useRef<HTMLDivElement>(null);
  const latest = useRef(events);
  latest.current = events;
  const first = useRef({ look, onStage });
  first.current.onStage = onStage;
  useEffect(() => {
    const created = new GraphStage(host.current!, map.current!, first.current.look, {
      look: (camera) => latest.current.look(camera),
      hover: (hovered, at) => latest.current.hover(hovered, at),
      select: (box) => latest.current.select(box),
      toggle: (box) => latest.current.toggle(box),
      step: (box, by) => latest.current.step(box, by),
    });
    first.current.onStage(created);
    return () => {
      first.current.onStage(null);
      created.destroy();
    };
  }, []);
  useEffect(() => stage?.restyle(look), [stage, look]);
  return (
    <div className={style.stage}>
      <div ref={host} className={style.host} data-testid={testId} />
      {children}
      <div className={style.tools} role="toolbar" aria-label={say("graphs.tools")}>
        <ZoomButtons onZoom={(by) => stage?.zoom(by)} onFit={onFit} />
      </div>
      <div ref={map} className={style.map} data-testid="graph-map" hidden />
    </div>
  );
}
