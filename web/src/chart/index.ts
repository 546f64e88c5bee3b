/**
 * The chart engine: lines on a canvas, from plain data.
 *
 *     const chart = new Chart(host, { onCursor, onZoom, onPin });
 *     chart.set({ series, axis: "step", xRange: null, …, theme: readTheme(host) });
 *     chart.setCursor(x, pinned);       // on every chart of the page, also the one under the pointer
 *     chart.destroy();
 *
 * - The host is positioned and gives the size; call `resize(size)` when it is known and when it changes (the chart
 *   watches nothing itself).
 * - `set` may be called with a range of x the data does not fill: what is there is drawn.
 * - `onZoom(zoom, commit)`: while a pan, pinch or wheel goes on, `commit` is false; show the range with `set`,
 *   write history only when it is true. `zoom === null` is a double click: go back one.
 * - `onCursor(x, …)`: x is that of a real point. The chart draws nothing until told by `setCursor`.
 * - A click pins a quarter of a second later, as it may be half of a double click.
 * - Raw series are smoothed here, so a slider moves without asking; give `weight` with a series, so that
 *   smoothed points of the same weight are taken as they came. Thinned series keep the ones sent.
 * - Set `chart.priority = "near"` for a chart outside the window; it is drawn after those in view.
 * - `export.ts` draws a model on paper, with title and names, and needs no chart. It is loaded on demand, so it is not here.
 * - `setCursor(x, pinned, range)`: with `onHandle`, pin and range have grips to drag them by.
 * - Series of one point each are drawn as a strip of dots; series with `members` as a line with its band.
 * - `onDrawn(stats)` after each picture; the colours of `model.theme` are CSS colours, `font` CSS families.
 */

export { Chart } from "./chart";
export { formatX } from "./cursor";
export { pointAtX } from "./hit-test";
export type {
  Axis,
  ChartEvents,
  ChartModel,
  ChartSeries,
  ChartStats,
  ChartTheme,
  ChartWords,
  ClientPosition,
  CornerNote,
  Handle,
  Row,
  Zoom,
} from "./model";
export { digitsWithin } from "./significant-digits";
export { smooth } from "./smooth";
export { readSchemeColors, readSchemeTheme, readTheme } from "./theme";
