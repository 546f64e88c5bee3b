/**
 * The overview of x under a large chart, with the range in view marked: drag its ends or across it to select a range.
 */

import { Chart } from "../../chart";
import type { Feed } from "../data/feed";
import { currentColorScheme, onColorScheme } from "../view/theme";
import { useView } from "../view/view";
import { zoomAll, zoomBack } from "../view/zoom";
import { CardSubscriptions, type Part } from "./card-subscriptions";
import { chartTheme } from "./chart-theme";
import { observeSize } from "./observe-size";
import { SeriesBuilder } from "./series-builder";

export class Brush {
  readonly #chart: Chart;
  readonly #sources: CardSubscriptions;
  readonly #seriesBuilder = new SeriesBuilder();
  readonly #stops: (() => void)[];
  #names: ReadonlyMap<string, string> | null = null;
  #width = 0;

  constructor(host: HTMLElement, feed: Feed) {
    this.#sources = new CardSubscriptions(feed, () => this.#render());
    this.#chart = new Chart(host, {
      onCursor: () => {},
      onPin: () => {},
      onZoom: (zoom, final) => (zoom === null ? zoomBack() : zoomAll(zoom.x, final)),
      onHandle: (handle, x, final) => {
        const [from, to] = this.#seen();
        const next = handle === "from" ? ([x, to] as const) : ([from, x] as const);
        if (next[0] < next[1]) zoomAll(next, final);
      },
      onDrawn: () => this.#mark(),
    });
    this.#stops = [
      observeSize(host, ({ width, height }) => {
        this.#width = width;
        this.#chart.resize({ width, height });
        this.#want();
      }),
      useView.subscribe(() => this.#render()),
      onColorScheme(() => this.#render()),
    ];
  }

  setParts(parts: readonly Part[]): void {
    this.#names = parts.length > 1 ? new Map(parts.map(({ tag }) => [tag, tag])) : null;
    this.#sources.setParts(parts);
    this.#want();
    this.#render();
  }

  destroy(): void {
    for (const stop of this.#stops) stop();
    this.#sources.close();
    this.#chart.destroy();
  }

  #want(): void {
    const px = this.#width * Math.min(2, devicePixelRatio);
    if (px > 0) this.#sources.update({ zoom: null, px });
  }

  /** The range in view, or everything. */
  #seen(): readonly [number, number] {
    const { zoom } = useView.getState();
    const { xmin, xmax } = this.#chart.stats;
    return zoom ?? [xmin, xmax];
  }

  #render(): void {
    if (this.#width === 0) return;
    const view = useView.getState();
    const buildSeries = { scheme: currentColorScheme(), names: this.#names, smoothing: view.smoothing };
    this.#chart.set({
      series: this.#sources.lines.map((line) => this.#seriesBuilder.buildSeries(line, buildSeries, null)),
      axis: view.axis,
      xRange: null,
      yRange: null,
      logY: view.logY,
      logX: view.logX,
      ignoreOutliers: true,
      smoothing: view.smoothing,
      highlighted: null,
      theme: chartTheme(),
    });
    this.#mark();
  }

  #mark(): void {
    const [from, to] = this.#seen();
    this.#chart.setCursor(null, null, Number.isFinite(from) ? [from, to] : null);
  }
}
