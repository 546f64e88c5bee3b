/** Exports a card as a picture in the light theme: a title, and each run with its name. */

import { toPngBlob } from "../../chart/canvas";
import { fontOf, type Pen } from "../../chart/pen";
import { SvgPen } from "../../chart/svg-pen";
import { say } from "../../i18n/words";
import { fileName, saveFile } from "../../lib/download";
import { runExport } from "../cards/exports";
import { colorOf, type LineStyle } from "../runs/line-styles";
import { useView } from "../view/view";
import type { View } from "../view/view-state";
import { columnAxis, spanOf } from "./columns";
import { drawPicture } from "./draw";
import { type HistogramMap, loadHistogramMap } from "./histograms";
import { measureWith } from "./measure";
import { composePicture, isCurves } from "./picture";
import { rampOf, rampTheme } from "./ramp-theme";
import { requestOf } from "./request";

const PANEL = { width: 360, height: 240 };
const CAPTION_PX = 22;
const HEAD_PX = 52;
const EDGE_PX = 12;
const MAX_ACROSS = 3;
/** Image pixels per CSS pixel of a PNG. */
const SHARPNESS = 2;

export type PictureFormat = "svg" | "png";

export function exportPicture(tag: string, runs: readonly LineStyle[], format: PictureFormat): Promise<void> {
  const name = `${fileName(tag)}.${format}`;
  return runExport(name, async ({ signal }) => {
    const view = useView.getState();
    const ids = runs.map(({ id }) => id);
    const map = await loadHistogramMap(requestOf(tag, ids, ids, view, PANEL));
    signal.throwIfAborted();
    const layout = layOut(tag, runs, map, view);
    if (format === "svg") {
      const pen = new SvgPen((text, font) => measureWith(font)(text));
      drawLayout(pen, layout);
      saveFile(new Blob([pen.toString(layout.size, tag)], { type: "image/svg+xml" }), name);
    } else saveFile(await paint(layout), name);
  });
}

interface Layout {
  tag: string;
  subtitle: string;
  size: { width: number; height: number };
  panels: { label: string; color: string; draw(pen: Pen): void; x: number; y: number }[];
}

function layOut(tag: string, runs: readonly LineStyle[], map: HistogramMap, view: View): Layout {
  const axis = columnAxis(view.axis);
  const span = view.zoom ?? spanOf(map.blocks, axis, isCurves(view.histogramMode)) ?? [0, 1];
  const { theme, colors } = rampTheme("light", true);
  const words = { order: say(view.histogramMode === "overlay" ? "hist.newestOnTop" : "hist.newestInFront") };
  const exported = runs.flatMap((lineStyle) => {
    const block = map.blocks.find(({ run }) => run === lineStyle.id);
    return block && block.steps.length > 0 ? [{ lineStyle, block }] : [];
  });
  const across = Math.max(1, Math.min(MAX_ACROSS, exported.length));
  const tall = PANEL.height + CAPTION_PX;
  const panels = exported.map(({ lineStyle, block }, at) => {
    const color = colorOf(lineStyle, "light");
    const model = {
      block,
      rows: map.rows,
      top: map.top,
      mode: view.histogramMode,
      axis,
      span,
      log: view.logCount,
      color,
      theme,
      colors: isCurves(view.histogramMode) ? rampOf(theme, color) : colors,
      words,
    };
    const picture = composePicture(model, PANEL, measureWith(fontOf(theme)));
    return {
      label: lineStyle.label,
      color,
      draw: (pen: Pen) => drawPicture(pen, picture, 1),
      x: EDGE_PX + (at % across) * PANEL.width,
      y: HEAD_PX + Math.floor(at / across) * tall,
    };
  });
  const size = {
    width: 2 * EDGE_PX + across * PANEL.width,
    height: HEAD_PX + Math.ceil(exported.length / across) * tall + EDGE_PX,
  };
  const subtitle = [
    say(`hist.${view.histogramMode}`),
    say(`hist.${view.histogramRange}`),
    `${say("axis.label")}: ${say(`axis.${axis}`)}`,
  ].join(" · ");
  return { tag, subtitle, size, panels };
}

function drawLayout(pen: Pen, { tag, subtitle, size, panels }: Layout): void {
  const { theme } = rampTheme("light", true);
  pen.fillStyle = theme.surface;
  pen.fillRect(0, 0, size.width, size.height);
  pen.textAlign = "left";
  pen.textBaseline = "middle";
  pen.font = fontOf(theme, 14, 600);
  pen.fillStyle = theme.text;
  pen.fillText(tag, EDGE_PX, 18);
  pen.font = fontOf(theme);
  pen.fillStyle = theme.text2;
  pen.fillText(subtitle, EDGE_PX, 37);
  for (const { label, color, draw, x, y } of panels) {
    pen.fillStyle = color;
    pen.fillRect(x, y + 6, 10, 10);
    pen.font = fontOf(theme, 12, 500);
    pen.textAlign = "left";
    pen.textBaseline = "middle";
    pen.fillStyle = theme.text;
    pen.fillText(label, x + 18, y + 11);
    pen.save();
    pen.translate(x, y + CAPTION_PX);
    draw(pen);
    pen.restore();
  }
}

async function paint(layout: Layout): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = layout.size.width * SHARPNESS;
  canvas.height = layout.size.height * SHARPNESS;
  const context = canvas.getContext("2d")!;
  context.scale(SHARPNESS, SHARPNESS);
  drawLayout(context, layout);
  return toPngBlob(canvas);
}
