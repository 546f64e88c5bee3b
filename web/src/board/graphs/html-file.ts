/**
 * The whole picture as a page of its own that needs no server: the drawing with its names as text, the legend, and a few
 * lines of script that move and zoom it. Its colours follow the theme of the reader's system.
 */

import { browserMeasure } from "../../chart/canvas";
import type { ChartTheme } from "../../chart/model";
import { escapeXml, SvgPen } from "../../chart/svg-pen";
import { fileName, saveFile } from "../../lib/download";
import { runExport } from "../cards/exports";
import { WIRE_ALPHA } from "./draw";
import { drawExport, type GraphExport, layoutOf } from "./export";
import type { PlacedBox } from "./geometry/picture";
import type { LegendEntry } from "./legend-entries";
import type { BoxMark } from "./marks";
import type { StageStyle } from "./stage";

export interface SchemeLook extends Pick<StageStyle, "colorOf" | "markOf"> {
  theme: ChartTheme;
  legend: readonly LegendEntry[];
}

export interface HtmlExport extends Pick<GraphExport, "picture" | "title" | "drawing"> {
  language: string;
  light: SchemeLook;
  dark: SchemeLook;
}

export function exportHtml(what: HtmlExport): Promise<void> {
  const name = `${fileName(what.title)}.html`;
  return runExport(name, async () => saveFile(htmlOf(what), name, "text/html"));
}

export function htmlOf({ picture, title, drawing, language, light, dark }: HtmlExport): string {
  const colors = new PairedColors();
  const look = pairedLook(light, dark, colors);
  const what: GraphExport = {
    ...{ picture, title, theme: look.theme, legend: [] },
    drawing: { ...drawing, ...look },
  };
  const pen = new SvgPen(browserMeasure());
  const layout = layoutOf({ ...what, theme: light.theme });
  drawExport(pen, what, layout);
  const svg = pen
    .toString(layout.size, title)
    .replace("</svg>", () => `${namesOf(what, layout.origin)}</svg>`);
  return PAGE.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parts: Record<string, string> = {
      language: escapeXml(language),
      title: escapeXml(title),
      svg,
      legend: legendOf(look.legend),
      light: colors.declarations("light"),
      dark: colors.declarations("dark"),
      script: SCRIPT,
      font: light.theme.font.replace(/[<>{}]/g, ""),
    };
    return parts[name] ?? "";
  });
}

/** Custom properties for colours that the two themes have in the same places. */
class PairedColors {
  readonly #names = new Map<string, string>();
  readonly #pairs: { name: string; light: string; dark: string }[] = [];

  of(light: string, dark: string): string {
    const key = `${light} ${dark}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      name = `--c${this.#pairs.length}`;
      this.#names.set(key, name);
      this.#pairs.push({ name, light, dark });
    }
    return `var(${name})`;
  }

  declarations(scheme: "light" | "dark"): string {
    return this.#pairs.map((pair) => `${pair.name}:${pair[scheme]}`).join(";");
  }
}

function pairedLook(light: SchemeLook, dark: SchemeLook, colors: PairedColors): SchemeLook {
  const both = (one: string | null, other: string | null) =>
    one === null || other === null ? null : colors.of(one, other);
  const theme = { ...light.theme };
  for (const name of Object.keys(theme) as (keyof ChartTheme)[]) {
    const [one, other] = [light.theme[name], dark.theme[name]];
    if (name !== "font" && typeof one === "string" && typeof other === "string") {
      Object.assign(theme, { [name]: colors.of(one, other) });
    }
  }
  const markOf = (placed: PlacedBox): BoxMark | null => {
    const [one, other] = [light.markOf(placed), dark.markOf(placed)];
    if (!one || !other) return null;
    const parts = one.parts.map(({ text, color }, at) => ({
      text,
      color: colors.of(color, other.parts[at]?.color ?? color),
    }));
    return { color: both(one.color, other.color), parts };
  };
  return {
    theme,
    markOf,
    colorOf: (placed) => both(light.colorOf(placed), dark.colorOf(placed)),
    legend: light.legend.map((entry, at) => ({
      ...entry,
      color: colors.of(entry.color, dark.legend[at]?.color ?? entry.color),
    })),
  };
}

/** What the boxes are called in full, shown while the pointer is on them. */
function namesOf({ picture, theme }: GraphExport, origin: { x: number; y: number }): string {
  return picture.boxes
    .map(({ box, rect }) => {
      const at = [rect.x + origin.x, rect.y + origin.y, rect.width, rect.height].map(Math.round);
      const [x, y, width, height] = at;
      const name = escapeXml([box.path, box.op].filter((part) => part !== "").join("\n"));
      return `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${theme.surface}" fill-opacity="0"><title>${name}</title></rect>`;
    })
    .join("");
}

function legendOf(legend: readonly LegendEntry[]): string {
  if (legend.length === 0) return "";
  const items = legend.map(({ label, color, line }) => {
    const look = line
      ? `border-top:${line.width.toFixed(1)}px ${line.dashed ? "dashed" : "solid"} ${color}`
      : `background:${color}`;
    return `<li><span${line ? ' class="line"' : ""} style="${look}"></span>${escapeXml(label)}</li>`;
  });
  return `<ul>${items.join("")}</ul>`;
}

const PAGE = `<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>{title}</title>
<style>
:root{color-scheme:light dark;{light}}
@media (prefers-color-scheme:dark){:root{{dark}}}
html,body{height:100%;margin:0;overflow:hidden;background:var(--c0)}
svg{display:block;width:100%;height:100%;cursor:grab;touch-action:none;user-select:none}
svg:focus-visible{outline:2px solid;outline-offset:-2px}
ul{position:fixed;left:12px;bottom:12px;display:flex;flex-wrap:wrap;gap:4px 12px;margin:0;padding:6px 10px;max-width:calc(100% - 44px);border:1px solid;border-radius:8px;background:var(--c0);font:12px/1.4 {font};list-style:none}
li{display:flex;align-items:center;gap:6px;overflow-wrap:anywhere}
li span{flex:none;width:10px;height:10px;border-radius:3px}
li .line{width:22px;height:0;border-radius:0;opacity:${WIRE_ALPHA}}
</style>
</head>
<body>
{svg}{legend}
<script>{script}</script>
</body>
</html>
`;

/** A drag moves, the wheel and + and - zoom, a double click and 0 show everything. */
const SCRIPT = `
const svg = document.querySelector("svg");
const whole = svg.getAttribute("viewBox").split(" ").map(Number);
let [x, y, w, h] = whole;
const show = (box) => { [x, y, w, h] = box; svg.setAttribute("viewBox", box.join(" ")); };
const unit = () => Math.max(w / innerWidth, h / innerHeight);
const zoom = (by, cx = innerWidth / 2, cy = innerHeight / 2) => {
  const from = new DOMPoint(cx, cy).matrixTransform(svg.getScreenCTM().inverse());
  const k = Math.min(Math.max(by, whole[2] / 100 / w), 4 * whole[2] / w);
  show([from.x - (from.x - x) * k, from.y - (from.y - y) * k, w * k, h * k]);
};
svg.tabIndex = 0;
svg.removeAttribute("width");
svg.removeAttribute("height");
const points = new Map();
svg.onpointerdown = (event) => { points.set(event.pointerId, event); svg.setPointerCapture(event.pointerId); };
svg.onpointerup = svg.onpointercancel = (event) => points.delete(event.pointerId);
svg.onpointermove = (event) => {
  const last = points.get(event.pointerId);
  if (!last) return;
  const other = [...points.values()].find((point) => point.pointerId !== event.pointerId);
  points.set(event.pointerId, event);
  const away = (point) => Math.hypot(point.clientX - other.clientX, point.clientY - other.clientY) || 1;
  if (other) zoom(away(last) / away(event), (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
  else show([x - (event.clientX - last.clientX) * unit(), y - (event.clientY - last.clientY) * unit(), w, h]);
};
svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  zoom(Math.exp(Math.max(-240, Math.min(240, event.deltaY)) * 0.0018), event.clientX, event.clientY);
}, { passive: false });
svg.ondblclick = () => show(whole);
svg.onkeydown = ({ key }) => {
  const step = 60 * unit();
  const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
  if (moves[key]) show([x + moves[key][0], y + moves[key][1], w, h]);
  else if (key === "+" || key === "=") zoom(0.8);
  else if (key === "-") zoom(1.25);
  else if (key === "0") show(whole);
};
`;
