/** The scene of points with its tools and the tooltip. */

import { type KeyboardEvent, type ReactNode, useEffect, useRef } from "react";
import { useWords, type WordId } from "../../i18n/words";
import type { Tool } from "../../lib/gestures";
import { Button } from "../../ui/button";
import type { IconName } from "../../ui/icon";
import { ZoomButtons } from "../../ui/zoom-buttons";
import { clearSelection, select, updateExploration, useExploration } from "./exploration";
import type { OverlayTheme } from "./overlay";
import { NO_ROWS, toggleRow, unionOf } from "./rows";
import { Scene } from "./scene";
import style from "./scene-view.module.css";

interface SceneViewProps {
  scene: Scene | null;
  onScene(scene: Scene | null): void;
  theme: OverlayTheme;
  /** Text alternative for screen readers. */
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

export function SceneView({ scene, onScene, theme, description, solid, onFault, children }: SceneViewProps) {
  const say = useWords();
  const host = useRef<HTMLDivElement>(null);
  const tool = useExploration((exploring) => exploring.tool);
  const first = useRef({ theme, onScene, onFault });
  first.current = { theme, onScene, onFault };
  useEffect(() => {
    const place = host.current!;
    const created = new Scene(place, first.current.theme, {
      hover: (row, x, y) => updateExploration({ hovered: row < 0 ? null : { row, x, y } }),
      click: handleClick,
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
    first.current.onScene(created);
    return () => {
      first.current.onScene(null);
      created.destroy();
    };
  }, []);
  useEffect(() => scene?.applyTheme(theme), [scene, theme]);
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
        onKeyDown={(event) => scene && handleKey(event, scene, solid)}
      />
      <div className={style.tools} role="toolbar" aria-label={say("projector.tools")}>
        {TOOLS.map(({ tool: each, icon, word }) => (
          <Button
            key={each}
            size="small"
            variant="quiet"
            icon={icon}
            label={say(word)}
            aria-pressed={tool === each}
            onClick={() => updateExploration({ tool: each })}
          />
        ))}
        <span className={style.line} />
        <ZoomButtons onZoom={(by) => scene?.zoom(1 / by)} onFit={() => scene?.fit()} />
      </div>
      {children}
    </div>
  );
}

/** A click shows the neighbours of a point, with Shift it extends the selection; beside all points it clears it. */
function handleClick(row: number, extend: boolean): void {
  const { selection } = useExploration.getState();
  if (row < 0) {
    if (!extend) clearSelection();
  } else if (extend) updateExploration({ selection: toggleRow(selection, row), category: null });
  else updateExploration({ focus: row, selection: NO_ROWS, category: null });
}

function enclosed(rows: Uint32Array, extend: boolean): void {
  const { selection, tool } = useExploration.getState();
  // With a tool, Shift extends; without one, Shift is needed to select at all.
  select(extend && tool !== "move" ? unionOf(selection, rows) : rows);
}

/**
 * Arrows move two-dimensional points and rotate three-dimensional ones, with Shift the other way; + and - zoom, Home
 * shows everything, Escape clears the selection.
 */
function handleKey(event: KeyboardEvent, scene: Scene, solid: boolean): void {
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
  else if (event.key === "Escape") clearSelection();
  else return;
  event.preventDefault();
}
