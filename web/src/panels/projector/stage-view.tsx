/** The place of the points: the scene itself, its tools, what the pointer is on. */

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { Button } from "../../widgets/button";
import type { IconName } from "../../widgets/icon";
import { useWords, type WordId } from "../../words/words";
import { explore, letGo, select, useExploring } from "./exploring";
import type { Tool } from "./gestures";
import type { OverlayTheme } from "./overlay";
import { joined, NO_ROWS, toggled } from "./rows";
import { Scene } from "./scene";
import style from "./stage-view.module.css";

interface StageViewProps {
  scene: Scene | null;
  onScene(scene: Scene | null): void;
  theme: OverlayTheme;
  /** What a reader of the screen hears. */
  description: string;
  solid: boolean;
  onFault(message: string): void;
  children?: ReactNode;
}

const TOOLS: readonly { tool: Tool; icon: IconName; word: WordId }[] = [
  { tool: "move", icon: "hand", word: "projector.tool.move" },
  { tool: "lasso", icon: "lasso", word: "projector.tool.lasso" },
  { tool: "box", icon: "box", word: "projector.tool.box" },
];
const CLOSER = 0.8;
const STEP_PX = 48;

export function StageView({ scene, onScene, theme, description, solid, onFault, children }: StageViewProps) {
  const say = useWords();
  const host = useRef<HTMLDivElement>(null);
  const tool = useExploring((exploring) => exploring.tool);
  const first = useRef({ theme, onScene, onFault });
  first.current = { theme, onScene, onFault };
  useEffect(() => {
    const place = host.current!;
    const made = new Scene(place, first.current.theme, {
      hover: (row, x, y) => explore({ hovered: row < 0 ? null : { row, x, y } }),
      click: clicked,
      enclose: enclosed,
      drawn: ({ count, inSight, camera, moving }, drawMs) => {
        Object.assign(place.dataset, {
          count: String(count),
          inSight: String(inSight),
          drawMs: drawMs.toFixed(1),
          camera: [camera.x, camera.y, camera.span, camera.yaw, camera.pitch].join(),
          moving: String(moving),
        });
      },
      fault: (message) => first.current.onFault(message),
    });
    first.current.onScene(made);
    return () => {
      first.current.onScene(null);
      made.destroy();
    };
  }, []);
  useEffect(() => scene?.dress(theme), [scene, theme]);
  useEffect(() => {
    if (scene) scene.tool = tool;
  }, [scene, tool]);

  return (
    <div className={style.stage} data-tool={tool}>
      <div
        ref={host}
        className={style.host}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the points
        tabIndex={0}
        aria-label={description}
        data-testid="points"
        onKeyDown={(event) => scene && steer(event, scene, solid)}
      />
      <div className={style.tools} role="toolbar" aria-label={say("projector.tools")}>
        {TOOLS.map(({ tool: each, icon, word }) => (
          <Button
            key={each}
            size="small"
            look="quiet"
            icon={icon}
            label={say(word)}
            aria-pressed={tool === each}
            onClick={() => explore({ tool: each })}
          />
        ))}
        <span className={style.line} />
        <Button
          size="small"
          look="quiet"
          icon="plus"
          label={say("projector.closer")}
          onClick={() => scene?.zoom(CLOSER)}
        />
        <Button
          size="small"
          look="quiet"
          icon="minus"
          label={say("projector.farther")}
          onClick={() => scene?.zoom(1 / CLOSER)}
        />
        <Button
          size="small"
          look="quiet"
          icon="fit"
          label={say("projector.fit")}
          onClick={() => scene?.fit()}
        />
      </div>
      {children}
    </div>
  );
}

/** A click shows the neighbours of a point, with Shift it adds to what is selected; beside all points it lets go. */
function clicked(row: number, extend: boolean): void {
  const { selection } = useExploring.getState();
  if (row < 0) {
    if (!extend) letGo();
  } else if (extend) explore({ selection: toggled(selection, row), category: null });
  else explore({ focus: row, selection: NO_ROWS, category: null });
}

function enclosed(rows: Uint32Array, extend: boolean): void {
  const { selection, tool } = useExploring.getState();
  // With a tool for it Shift adds; without, Shift is how one selects at all.
  select(extend && tool !== "move" ? joined(selection, rows) : rows);
}

/** Arrows move flat points and turn solid ones, with Shift the other way about; + and - come closer, Home shows all, Escape lets go. */
function steer(event: KeyboardEvent, scene: Scene, solid: boolean): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const ways: Record<string, readonly [number, number]> = {
    ArrowLeft: [STEP_PX, 0],
    ArrowRight: [-STEP_PX, 0],
    ArrowUp: [0, STEP_PX],
    ArrowDown: [0, -STEP_PX],
  };
  const way = ways[event.key];
  if (way) scene.move(way[0], way[1], solid && !event.shiftKey);
  else if (event.key === "+" || event.key === "=") scene.zoom(CLOSER);
  else if (event.key === "-" || event.key === "_") scene.zoom(1 / CLOSER);
  else if (event.key === "Home") scene.fit();
  else if (event.key === "Escape") letGo();
  else return;
  event.preventDefault();
}
