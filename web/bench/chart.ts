/**
 * A page of sample charts, to look at and to time: `npx vite`, then /bench/chart.html?theme=dark&case=all.
 * `window.bench` holds what a script measures with.
 */

import "../src/ui/css/tokens.css";
import "./chart.css";
import { type Axis, Chart, type ChartModel, type ChartSeries, readTheme } from "../src/chart";
import { exportSvg } from "../src/chart/export";
import { randomNumbers } from "../src/lib/random";

const LIGHT = "#466BF4 #6B4300 #207963 #CB1043 #7512A6 #A2941D #0AA0D2 #BD6397 #74A06B #544E67".split(" ");
const DARK = "#646AFA #F4B85B #91E5CA #FB8083 #E7C0FB #8B8C14 #4EA2D4 #C25486 #42864E #A3A3B1".split(" ");
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

const query = new URLSearchParams(location.search);
const dark = query.get("theme") === "dark";
document.documentElement.dataset.theme = dark ? "dark" : "light";

interface Sample {
  title: string;
  model: Partial<ChartModel>;
}

/** A series of `n` points; `value(t, noise)` with t from 0 to 1. */
function seriesOf(
  run: number,
  n: number,
  value: (t: number, noise: number) => number,
  x: (i: number) => number = (i) => i * 10,
): ChartSeries {
  const random = randomNumbers(run + 1);
  const xs = Float64Array.from({ length: n }, (_, i) => x(i));
  const noise = () => random() + random() + random() - 1.5;
  const ys = Float32Array.from({ length: n }, (_, i) => value(n > 1 ? i / (n - 1) : 0, noise()));
  return {
    run,
    label: `run ${run}`,
    color: (dark ? DARK : LIGHT)[run % 10]!,
    dash: DASHES[Math.floor(run / 10) % 4]!,
    x: xs,
    y: ys,
    aux: null,
    sx: null,
    sy: null,
    restarts: new Float64Array(),
    raw: true,
    held: n,
    inRange: n,
  };
}

function many(
  runs: number,
  n: number,
  value: (run: number, t: number, noise: number) => number,
  x?: (i: number) => number,
) {
  return Array.from({ length: runs }, (_, run) => seriesOf(run, n, (t, noise) => value(run, t, noise), x));
}

const loss = (run: number, t: number, noise: number) =>
  0.3 + 0.12 * run + (3.2 + 0.2 * run) * Math.exp(-3 * t) + 0.12 * noise;
const speed = (run: number, _: number, noise: number) => 120_000 + 3000 * run + 2500 * noise;
const NOW = Date.UTC(2026, 10, 20, 13, 5) / 1000;

function troubled(): ChartSeries[] {
  const series = many(3, 400, (run, t, noise) =>
    t > 0.4 && t < 0.43 ? Number.NaN : loss(run, t, noise / 2),
  );
  series[1]!.y[200] = 400;
  series[2]!.y[300] = Number.POSITIVE_INFINITY;
  series[2]!.y[120] = Number.NEGATIVE_INFINITY;
  series[0]!.restarts = Float64Array.of(2500);
  return series;
}

/** A mean of runs that lie further apart as they go on. */
function grouped(run: number): ChartSeries {
  const series = seriesOf(run, 300, (t, noise) => loss(run, t, noise / 6));
  const width = series.y.map((value, i) => value * (0.05 + i / 900));
  return {
    ...series,
    lo: series.y.map((value, i) => value - width[i]!),
    hi: series.y.map((value, i) => value + width[i]!),
    members: new Uint32Array(300).fill(5),
  };
}

function twoTags(): ChartSeries[] {
  const train = many(2, 300, loss).map((series) => ({
    ...series,
    label: `${series.label} · train`,
    tag: "train/loss",
  }));
  const evaluated = many(
    2,
    40,
    (run, t, noise) => loss(run, t, noise / 2) + 0.3,
    (i) => i * 75,
  );
  return [
    ...train,
    ...evaluated.map((series) => ({
      ...series,
      label: `${series.label} · eval`,
      tag: "eval/loss",
      dash: [6, 3],
    })),
  ];
}

const SAMPLES: Record<string, Sample> = {
  loss: { title: "train/loss", model: { series: many(10, 1000, loss) } },
  raw: { title: "train/loss, no smoothing", model: { series: many(10, 1000, loss), smoothing: 0 } },
  speed: { title: "perf/tokens_per_sec", model: { series: many(10, 1000, speed) } },
  rate: {
    title: "train/lr",
    model: {
      series: many(4, 1000, (run, t) => (run + 1) * 2.5e-4 * (t < 0.1 ? t * 10 : Math.cos((t - 0.1) * 1.7))),
      smoothing: 0,
    },
  },
  highlight: { title: "highlighted", model: { series: many(10, 1000, loss), highlighted: 4 } },
  log: {
    title: "log y",
    model: {
      series: many(6, 1000, (run, t, noise) => loss(run, 2 * t, 0) * 10 ** (noise / 2 - 2 * t * run)),
      logY: true,
    },
  },
  negative: {
    title: "log y, some ≤ 0",
    model: { series: many(3, 300, (run, t, noise) => loss(run, t, 0) - 1 + noise / 3), logY: true },
  },
  trouble: { title: "NaN, Inf, spike, restart", model: { series: troubled(), smoothing: 0.3 } },
  slots: {
    title: "40 runs",
    model: { series: many(40, 300, (run, t, noise) => loss(run / 3, t, noise / 3)) },
  },
  relative: { title: "relative", model: { series: many(5, 500, loss, (i) => i * 9.3), axis: "relative" } },
  wall: { title: "wall", model: { series: many(5, 500, loss, (i) => NOW + i * 60), axis: "wall" } },
  few: {
    title: "eval/accuracy, 6 points",
    model: {
      series: many(
        4,
        6,
        (run, t) => 0.5 + 0.1 * run + 0.3 * t,
        (i) => i * 1000,
      ),
      smoothing: 0,
    },
  },
  single: {
    title: "one point each",
    model: {
      series: many(
        5,
        1,
        (run) => 0.3 * run + 0.2,
        () => 100,
      ),
    },
  },
  strip: {
    title: "one point each, many",
    model: {
      series: many(
        40,
        1,
        (run) => Math.cos(run),
        () => 100,
      ),
    },
  },
  group: {
    title: "groups, log y",
    model: { series: [grouped(0), grouped(3)], logY: true, smoothing: 0 },
  },
  logx: {
    title: "log x",
    model: { series: many(5, 1000, loss, (i) => i * i), logX: true },
  },
  tangled: {
    title: "a tag as x",
    model: {
      series: many(
        3,
        300,
        (run, t, noise) => Math.cos(9 * t) + run / 2 + noise / 9,
        (i) => Math.sin(i / 40) * 20 + i / 20,
      ),
      axis: "tag",
      smoothing: 0,
    },
  },
  labels: { title: "names at the ends", model: { series: many(8, 300, loss), labels: true } },
  tags: { title: "two tags", model: { series: twoTags(), labels: true, smoothing: 0.8 } },
  constant: { title: "constant", model: { series: many(2, 100, () => 0.0003) } },
  empty: { title: "no points", model: { series: [] } },
  dense: {
    title: "50 × 10,000",
    model: { series: many(50, 10_000, (run, t, noise) => loss(run / 5, t, noise)), smoothing: 0 },
  },
};

const charts = new Map<string, { chart: Chart; host: HTMLElement; model: ChartModel }>();

function show(name: string, sample: Sample, grid: HTMLElement): void {
  const card = document.createElement("section");
  card.className = "card";
  const title = document.createElement("h2");
  title.textContent = sample.title;
  const host = document.createElement("div");
  host.className = "plot";
  host.id = name;
  card.append(title, host);
  grid.append(card);
  const chart = new Chart(host, {
    onCursor: (x, _, run) => {
      for (const other of charts.values()) other.chart.setCursor(x, pinned, range);
      chart.setHighlight(run);
    },
    onZoom: (zoom) => {
      for (const other of charts.values()) {
        const y = other.chart === chart ? (zoom?.y ?? null) : null;
        other.model = { ...other.model, xRange: zoom?.x ?? null, yRange: y };
        other.chart.set(other.model);
      }
    },
    onPin: (x, extend) => {
      range = extend && pinned !== null ? [pinned, x] : null;
      if (!extend) pinned = pinned === x ? null : x;
      for (const other of charts.values()) other.chart.setCursor(x, pinned, range);
    },
    onHandle: (handle, x) => {
      if (handle === "pin") pinned = x;
      else if (range !== null) range = handle === "from" ? [x, range[1]] : [range[0], x];
      for (const other of charts.values()) other.chart.setCursor(null, pinned, range);
    },
  });
  const model: ChartModel = {
    series: [],
    axis: "step" as Axis,
    xRange: null,
    yRange: null,
    logY: false,
    ignoreOutliers: true,
    smoothing: 0.6,
    highlighted: null,
    theme: readTheme(host),
    ...sample.model,
  };
  chart.set(model);
  charts.set(name, { chart, host, model });
}

let pinned: number | null = null;
let range: [number, number] | null = null;
const grid = document.createElement("main");
grid.className = "grid";
document.body.append(grid);
const wanted = (
  query.get("case") ??
  "loss,raw,speed,rate,highlight,log,negative,trouble,slots,relative,wall,few,single,strip,group,logx,tangled,labels,tags,constant,empty"
).split(",");
for (const name of wanted) show(name, SAMPLES[name]!, grid);
addEventListener("resize", () => {
  for (const { chart, host } of charts.values())
    chart.resize({ width: host.clientWidth, height: host.clientHeight });
});

Object.assign(window, { bench: { charts, exportSvg } });
