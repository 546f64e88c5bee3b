/** A card as a picture on white paper, whatever the theme: a title, and each run with its name. */

import { fileName, saveFile } from "../../base/save";
import { fontOf, type Pen } from "../../chart/pen";
import { SvgPen } from "../../chart/svgpen";
import { fetchHistograms, type HistogramMap } from "../../state/histograms";
import { colorOf, type RunLook } from "../../state/looks";
import { take } from "../../state/taking";
import { useView } from "../../state/view";
import type { View } from "../../state/viewstate";
import { say } from "../../words/words";
import { columnAxis, spanOf } from "./columns";
import { drawPicture } from "./draw";
import { lookOf, rampOf } from "./look";
import { composePicture, isCurves } from "./picture";
import { questionOf } from "./question";

const PANEL = { width: 360, height: 240 };
const CAPTION_PX = 22;
const HEAD_PX = 52;
const EDGE_PX = 12;
const MOST_ACROSS = 3;
/** Image pixels of a PNG for each CSS pixel. */
const SHARPNESS = 2;

export type PictureFormat = "svg" | "png";

export function takePicture(tag: string, runs: readonly RunLook[], format: PictureFormat): Promise<void> {
  const name = `${fileName(tag)}.${format}`;
  return take(name, async ({ signal }) => {
    const view = useView.getState();
    const ids = runs.map(({ id }) => id);
    const map = await fetchHistograms(questionOf(tag, ids, ids, view, PANEL));
    signal.throwIfAborted();
    const sheet = layOut(tag, runs, map, view);
    if (format === "svg") {
      const pen = new SvgPen(measure);
      drawSheet(pen, sheet);
      saveFile(new Blob([pen.toString(sheet.size, tag)], { type: "image/svg+xml" }), name);
    } else saveFile(await paint(sheet), name);
  });
}

interface Sheet {
  tag: string;
  subtitle: string;
  size: { width: number; height: number };
  panels: { label: string; color: string; draw(pen: Pen): void; x: number; y: number }[];
}

function layOut(tag: string, runs: readonly RunLook[], map: HistogramMap, view: View): Sheet {
  const axis = columnAxis(view.axis);
  const span = view.zoom ?? spanOf(map.blocks, axis, isCurves(view.histogramMode)) ?? [0, 1];
  const { theme, shades } = lookOf("light", true);
  const words = { order: say(view.histogramMode === "overlay" ? "hist.newestOnTop" : "hist.newestInFront") };
  const held = runs.flatMap((look) => {
    const block = map.blocks.find(({ run }) => run === look.id);
    return block && block.steps.length > 0 ? [{ look, block }] : [];
  });
  const across = Math.max(1, Math.min(MOST_ACROSS, held.length));
  const tall = PANEL.height + CAPTION_PX;
  const panels = held.map(({ look, block }, at) => {
    const color = colorOf(look, "light");
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
      shades: isCurves(view.histogramMode) ? rampOf(theme, color) : shades,
      words,
    };
    const picture = composePicture(model, PANEL, (text) => measure(text, fontOf(theme)));
    return {
      label: look.label,
      color,
      draw: (pen: Pen) => drawPicture(pen, picture, 1),
      x: EDGE_PX + (at % across) * PANEL.width,
      y: HEAD_PX + Math.floor(at / across) * tall,
    };
  });
  const size = {
    width: 2 * EDGE_PX + across * PANEL.width,
    height: HEAD_PX + Math.ceil(held.length / across) * tall + EDGE_PX,
  };
  const subtitle = [
    say(`hist.${view.histogramMode}`),
    say(`hist.${view.histogramRange}`),
    `${say("axis.label")}: ${say(`axis.${axis}`)}`,
  ].join(" · ");
  return { tag, subtitle, size, panels };
}

function drawSheet(pen: Pen, { tag, subtitle, size, panels }: Sheet): void {
  const { theme } = lookOf("light", true);
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

async function paint(sheet: Sheet): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = sheet.size.width * SHARPNESS;
  canvas.height = sheet.size.height * SHARPNESS;
  const context = canvas.getContext("2d")!;
  context.scale(SHARPNESS, SHARPNESS);
  drawSheet(context, sheet);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("the image is too large"))),
      "image/png",
    );
  });
}

const ruler = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");

function measure(text: string, font: string): number {
  if (!ruler) return 6 * text.length;
  ruler.font = font;
  return ruler.measureText(text).width;
}
