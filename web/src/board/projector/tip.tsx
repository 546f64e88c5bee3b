/** The tooltip: label of the point, thumbnail, and value of the colour column. */

import { useEffect, useRef } from "react";
import type { ColumnValues } from "./coloring";
import { useExploration } from "./exploration";
import type { Tiles } from "./labels";
import type { Scene } from "./scene";
import { cellText } from "./tensors";
import style from "./tip.module.css";

interface TipProps {
  scene: Scene | null;
  nameOf(row: number): string | null;
  tiles: Tiles | null;
  color: { column: string; values: ColumnValues } | null;
}

const SIDE_PX = 96;
const AWAY_PX = 12;

export function Tip({ scene, nameOf, tiles, color }: TipProps) {
  const hovered = useExploration((exploring) => exploring.hovered);
  if (hovered === null || scene === null) return null;
  const { row, x, y } = hovered;
  const { width, height } = scene.size;
  const place = {
    ...(x > width / 2 ? { right: width - x + AWAY_PX } : { left: x + AWAY_PX }),
    ...(y > height / 2 ? { bottom: height - y + AWAY_PX } : { top: y + AWAY_PX }),
  };
  return (
    <div className={style.tip} style={place} data-testid="tip" data-row={row}>
      {tiles && <Tile tiles={tiles} row={row} side={SIDE_PX} />}
      <bdi className={style.name}>{nameOf(row) ?? "…"}</bdi>
      {color && (
        <span className={style.value}>
          <bdi>{color.column}</bdi> <bdi>{cellText(color.values, row)}</bdi>
        </span>
      )}
    </div>
  );
}

/** One thumbnail; pixelated if enlarged. */
export function Tile({ tiles, row, side }: { tiles: Tiles; row: number; side: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const pen = canvas.current?.getContext("2d");
    if (!pen) return;
    const { image, width, height, across } = tiles;
    pen.clearRect(0, 0, width, height);
    pen.drawImage(
      image,
      (row % across) * width,
      Math.floor(row / across) * height,
      width,
      height,
      0,
      0,
      width,
      height,
    );
  }, [tiles, row]);
  const { width, height } = tiles;
  const scale = side / Math.max(width, height);
  return (
    <canvas
      ref={canvas}
      className={style.tile}
      width={width}
      height={height}
      style={{ width: width * scale, height: height * scale }}
    />
  );
}
