/** A flame graph on a canvas: calls as boxes, as wide as their time. The table below it has the same calls. */

import { type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { readTheme } from "../../chart/theme";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import tipStyle from "../../ui/tip.module.css";
import { useColorScheme } from "../view/theme";
import style from "./call-tree.module.css";
import { boxAt, type FlameBox, flameBoxes, weightOf } from "./flame-places";
import { percent } from "./labels";
import { type CallTreeNode, categoryColor } from "./profiles";
import { fitting } from "./time-line-draw";

const ROW_PX = 20;
const LEAST_TEXT_PX = 28;
const DIMMED = 0.3;

interface FlameGraphProps {
  nodes: readonly CallTreeNode[];
  /** The calls around what is shown, from the outermost; each takes the whole width. */
  around: readonly CallTreeNode[];
  whole: number;
  direction: "down" | "up";
  isSearched: boolean;
  /** The table with the same calls, by its id. */
  table: string;
  chosen: string | null;
  onChoose(node: CallTreeNode): void;
}

export function FlameGraph(props: FlameGraphProps) {
  const { nodes, around, direction, whole, onChoose } = props;
  const say = useWords();
  const scheme = useColorScheme();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [width, setWidth] = useState(0);
  const [hovered, hover] = useState<{ node: CallTreeNode; x: number; y: number } | null>(null);
  const last = around.at(-1);
  const seen = last ? weightOf(last, direction) : whole;
  const boxes = useMemo(() => {
    const outer = around.map((node, depth): FlameBox => ({ node, depth, left: 0, width: 1 }));
    const inner = flameBoxes(nodes, seen, direction);
    return [...outer, ...inner.map((each) => ({ ...each, depth: each.depth + around.length }))];
  }, [nodes, around, seen, direction]);
  const height = (Math.max(0, ...boxes.map(({ depth }) => depth)) + 1) * ROW_PX;
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const element = canvas.current;
    const pen = element?.getContext("2d");
    if (!element || !pen || width <= 0) return;
    const ratio = globalThis.devicePixelRatio || 1;
    element.width = Math.round(width * ratio);
    element.height = Math.round(height * ratio);
    pen.scale(ratio, ratio);
    const theme = readTheme(element);
    pen.font = `11px ${theme.font}`;
    pen.textBaseline = "middle";
    for (const each of boxes) {
      const { node, depth } = each;
      const [left, wide] = [each.left * width, each.width * width];
      if (wide < 0.5) continue;
      const isDim = props.isSearched && !node.is_found;
      pen.globalAlpha = isDim ? DIMMED : 1;
      pen.fillStyle = node.type === "slice" ? categoryColor(node.category, scheme) : theme.line;
      pen.globalAlpha *= node.type === "slice" ? 0.35 : 1;
      pen.fillRect(left, depth * ROW_PX, Math.max(0.5, wide - 1), ROW_PX - 1);
      pen.globalAlpha = isDim ? 2 * DIMMED : 1;
      if (node.path === props.chosen) {
        pen.strokeStyle = theme.accent;
        pen.lineWidth = 2;
        pen.strokeRect(left + 1, depth * ROW_PX + 1, Math.max(1, wide - 3), ROW_PX - 3);
      }
      if (wide < LEAST_TEXT_PX) continue;
      pen.fillStyle = theme.text;
      pen.fillText(fitting(node.name, wide - 8), left + 4, depth * ROW_PX + ROW_PX / 2);
    }
    pen.globalAlpha = 1;
  }, [boxes, width, height, scheme, props.isSearched, props.chosen]);
  const find = (event: PointerEvent<HTMLElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const found = boxAt(boxes, Math.floor(y / ROW_PX), x / width);
    return found ? { node: found.node, x, y } : null;
  };
  const tip = hovered?.node;
  return (
    <div className={style.flame} ref={box}>
      <canvas
        ref={canvas}
        className={style.canvas}
        style={{ width, height }}
        role="img"
        aria-label={say("profile.flame", { count: boxes.length })}
        aria-details={props.table}
        data-testid="flame"
        onPointerMove={(event) => hover(find(event))}
        onPointerLeave={() => hover(null)}
        onPointerUp={(event) => {
          const found = find(event);
          if (found) onChoose(found.node);
        }}
      />
      {tip && (
        <div
          className={tipStyle.inside}
          role="tooltip"
          style={{
            top: hovered.y + 16,
            ...(hovered.x > width * 0.6 ? { right: width - hovered.x } : { left: hovered.x }),
          }}
        >
          <div className={tipStyle.title}>{tip.name}</div>
          <div className={tipStyle.note}>
            {say("profile.column.total_us")} {formatMicroseconds(tip.total_us)} (
            {percent(tip.total_us, whole)}){" · "}
            {say("profile.column.self_us")} {formatMicroseconds(tip.self_us)}
          </div>
        </div>
      )}
    </div>
  );
}
