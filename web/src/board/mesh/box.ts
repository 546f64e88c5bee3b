/**
 * Draws the box around a mesh: its edges behind the mesh, and name and range beside the outermost edge of each axis.
 */

import { formatValue } from "../../lib/number";
import { project, type Vector } from "./camera";

export interface BoxTheme {
  line: string;
  text: string;
  /** Background of texts. */
  surface: string;
  font: string;
}

interface Spot {
  x: number;
  y: number;
}

interface Box {
  low: Vector;
  high: Vector;
}

const NAMES = ["x", "y", "z"] as const;
const TEXT_PX = 11;
const HALO_PX = 3;
const ASIDE_PX = 12;

/** Bit 0, 1 and 2 of a corner say whether it is far along x, y and z: the four edges of each axis. */
const EDGES = [0, 1, 2].map((axis) =>
  Array.from({ length: 8 }, (_, corner) => corner)
    .filter((corner) => (corner & (1 << axis)) === 0)
    .map((corner) => [corner, corner | (1 << axis)] as const),
);

/** The corners relative to the middle, on a picture of this size. */
function cornersOf({ low, high }: Box, matrix: Float32Array, width: number, height: number): (Spot | null)[] {
  return Array.from({ length: 8 }, (_, corner) => {
    const side = (axis: 0 | 1 | 2) => ((corner & (1 << axis) ? 1 : -1) * (high[axis] - low[axis])) / 2;
    return project(matrix, [side(0), side(1), side(2)], width, height);
  });
}

export function drawBox(
  target: CanvasRenderingContext2D,
  box: Box,
  matrix: Float32Array,
  theme: BoxTheme,
  ratio: number,
): void {
  const { width, height } = target.canvas;
  const corners = cornersOf(box, matrix, width, height);
  target.strokeStyle = theme.line;
  target.lineWidth = ratio;
  target.beginPath();
  for (const [from, to] of EDGES.flat()) {
    const [start, end] = [corners[from], corners[to]];
    if (!start || !end) continue;
    target.moveTo(start.x, start.y);
    target.lineTo(end.x, end.y);
  }
  target.stroke();
}

/** Drawn over the mesh. */
export function drawAxes(
  target: CanvasRenderingContext2D,
  box: Box,
  matrix: Float32Array,
  theme: BoxTheme,
  ratio: number,
): void {
  const { width, height } = target.canvas;
  const corners = cornersOf(box, matrix, width, height);
  const middle = project(matrix, [0, 0, 0], width, height);
  if (!middle) return;
  target.font = `${TEXT_PX * ratio}px ${theme.font}`;
  target.textAlign = "center";
  target.textBaseline = "middle";
  target.lineJoin = "round";
  const placed: Spot[] = [];
  NAMES.forEach((name, axis) => {
    const at = outermost(corners, axis, middle);
    if (!at) return;
    const range = `${name}  ${formatValue(box.low[axis]!, 4)} … ${formatValue(box.high[axis]!, 4)}`;
    const near = placed.some(
      (other) =>
        Math.abs(other.y - at.y) < 4 * TEXT_PX * ratio &&
        Math.abs(other.x - at.x) < target.measureText(range).width,
    );
    const text = near ? name : range;
    placed.push(at);
    const half = target.measureText(text).width / 2 + HALO_PX * ratio;
    const away = Math.max(1, Math.hypot(at.x - middle.x, at.y - middle.y));
    const aside = (half * Math.abs(at.x - middle.x)) / away + ASIDE_PX * ratio;
    const x = at.x + ((at.x - middle.x) / away) * aside;
    const y = at.y + ((at.y - middle.y) / away) * ASIDE_PX * ratio;
    const inside = [Math.min(width - half, Math.max(half, x)), clamp(y, TEXT_PX * ratio, height)] as const;
    target.strokeStyle = theme.surface;
    target.lineWidth = 2 * HALO_PX * ratio;
    target.strokeText(text, ...inside);
    target.fillStyle = theme.text;
    target.fillText(text, ...inside);
  });
}

/** The middle of the edge along an axis that is furthest from the middle of the box, where text hides least. */
function outermost(corners: readonly (Spot | null)[], axis: number, middle: Spot): Spot | null {
  let best: Spot | null = null;
  let most = -1;
  for (const [from, to] of EDGES[axis]!) {
    const [start, end] = [corners[from], corners[to]];
    if (!start || !end) continue;
    const at = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
    // The lower of two at equal distance.
    const away = Math.hypot(at.x - middle.x, at.y - middle.y) + at.y * 1e-3;
    if (away > most) [best, most] = [at, away];
  }
  return best;
}

function clamp(y: number, textPx: number, height: number): number {
  return Math.min(height - textPx, Math.max(textPx, y));
}
