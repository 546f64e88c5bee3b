import { expect, test } from "vitest";
import { OPERATOR_COLUMNS } from "../../api/profiles";
import { randomNumbers } from "../../lib/random";
import { COLORINGS } from "./graphs-view";
import { MODES, SCALES, TOGETHER } from "./hparams-view";
import { DEFAULT_MESH, DEFAULT_POSE } from "./mesh-view";
import { OPERATOR_FORMS, PROFILE_VIEWS } from "./profile-view";
import { DEFAULT_PROJECTOR, METHODS } from "./projector-view";
import { parseView, printView } from "./view-address";
import { CARD_KINDS, DEFAULT_VIEW, type View } from "./view-state";

const random = randomNumbers(7);
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
const several = <Value>(make: () => Value, least = 0): Value[] =>
  Array.from({ length: least + Math.floor(random() * 3) }, make);

const NAMES = [
  "loss",
  "train/loss",
  "a, b;c%2C",
  "100%",
  "x=1&y#z",
  "训练/精度",
  "ü 😀",
  "-lr",
  "עברית",
  "a+b c",
  "it's",
];
const name = () => pick(NAMES);
const number = () => pick([0, -1.5, 1e-9, 0.1 + 0.2, 12_345, 1.75e9 + 0.25]);
const span = (): [number, number] => {
  const from = number();
  return [from, from + pick([0.5, 1, 1e6])];
};
const maybe = <Value>(make: () => Value): Value | null => (random() < 0.5 ? make() : null);

const MAKERS: { [Name in keyof View]: () => View[Name] } = {
  page: () => pick(["timeseries", "runs", "run", "compare", "histograms"]),
  subject: name,
  tagFilter: () => pick(["loss", "a & b=c #d", "/^(a|b)\\/c$/", "50%"]),
  runFilter: () => pick(["loss", "lr<1e-3 eval/loss.min<0.5", "/seed_\\d+/"]),
  smoothing: () => pick([0, 0.25, 0.999]),
  axis: () => pick(["step", "relative", "wall", "tag"] as const),
  xTag: name,
  zoom: () => maybe(span),
  boxes: () => several(() => ({ tag: name(), x: span(), y: span() })),
  logY: () => pick([true, false]),
  logX: () => pick([true, false]),
  ignoreOutliers: () => pick([true, false]),
  repeats: () => pick(["all", "last"] as const),
  columns: () => pick([0, 1, 4]),
  cardHeight: () => pick(["small", "normal", "tall"] as const),
  pinned: () => several(name),
  joined: () => several(() => [name(), name(), ...several(name)]),
  cards: () => several(() => ({ tag: name(), ...pick(CARDS) })),
  runs: () => ({
    base: pick(["default", "all", "none"] as const),
    shown: several(name),
    hidden: several(name),
  }),
  grouping: () =>
    maybe(() => ({ ...pick(GROUPINGS), by: pick(["folder", "name:(.*)_seed,\\d", "config:a,b;c"]) })),
  colorBy: () => pick(["run", "group", "regex:a|(b),", "config:lr", "metric:eval/loss:min"]),
  table: () => several(() => pick(["config:lr", "metric:a,b:min", "info:status"])),
  sort: () => several(() => ({ column: pick(["config:lr", "info:step"]), down: pick([true, false]) })),
  tree: () => maybe(() => pick([true, false])),
  baseline: () => maybe(name),
  runPins: () => several(name),
  pin: () => maybe(() => ({ run: name(), step: number() })),
  range: () => maybe(span),
  compare: () => several(name),
  tipRows: () => pick([0, 5, 20]),
  prMode: () => pick(["pr", "roc", "threshold"] as const),
  isoF1: () => pick([true, false]),
  unitScale: () => pick([true, false]),
  threshold: () => pick([null, 0, 0.42, 1]),
  tipSort: () => pick(["nearest", "descending", "ascending", "alphabetical", "default"] as const),
  links: () => pick([true, false]),
  hparams: () => ({
    mode: pick(MODES),
    columns: several(() => pick(["config:a,b;c=d", "metric@val:loss:min"])),
    sort: maybe(() => ({ column: pick(["config:lr", "metric:a;b:last"]), down: pick([true, false]) })),
    filters: {
      "config:lr": pick([
        { kind: "range", low: 1e-4, high: null, missing: false },
        { kind: "words", words: ["a,b", "c;d=%"], missing: true },
        { kind: "pattern", text: "^a|b;c..d", missing: false },
      ] as const),
    },
    scales: { [name()]: pick(SCALES) },
    together: pick(TOGETHER),
    color: pick(["", "config:lr"]),
  }),
  projector: () => ({
    ...DEFAULT_PROJECTOR,
    run: name(),
    tensor: name(),
    method: pick(METHODS),
    neighbors: pick([2, 15, 40]),
    ends: { left: name(), right: "", up: "", down: name() },
    color: pick([null, "", "label"]),
    label: maybe(name),
  }),
  graphs: () => ({
    run: name(),
    tag: name(),
    form: pick(["", "op", "conceptual", "profile"] as const),
    at: name(),
    open: pick([null, [], ["a", "a/b,c", "d;e"]]),
    selected: name(),
    color: pick([null, ...COLORINGS]),
    members: pick([{}, { "a/b,c": 3, "d;e:f": 1 }]),
    totals: pick([true, false]),
    base: pick([null, { run: "a,b;c", tag: "t", form: "profile" as const, at: pick(["", "a.b,c"]) }]),
  }),
  profile: () => ({
    capture: name(),
    view: pick(PROFILE_VIEWS),
    form: pick(OPERATOR_FORMS),
    sort: pick(OPERATOR_COLUMNS),
    descending: pick([true, false]),
    calls: pick([null, { sort: "count", descending: false }, { sort: "name", descending: true }] as const),
    zoom: pick(["", "3", "3,0,17"]),
    search: name(),
    window: pick([null, [0, 1.5], [12.25, 1e6]] as const),
    slice: pick([null, { host: 0, slice: 17 }]),
    base: name(),
    rank: pick([null, 0, 7]),
    baseRank: pick([null, 3]),
    find: name(),
    range: pick([null, { span: [1, 2.5], tracks: [] }, { span: [0, 90], tracks: ["0:3", "1:0"] }] as const),
    closed: pick([[], ["0:3", "0p1"]]),
    pinned: pick([[], ["1:2"]]),
  }),
  mesh: () => ({
    ...DEFAULT_MESH,
    share: pick([true, false]),
    wire: pick([true, false]),
    points: pick([null, 1, 4.5]),
    pose: pick([DEFAULT_POSE, { yaw: -1.5, pitch: 0.25, zoom: 4, x: 0.125, y: -2 }]),
  }),
  imageMode: () => pick(["grid", "film", "compare"] as const),
  imageSize: () => pick(["small", "normal", "large"] as const),
  trueSize: () => pick([true, false]),
  brightness: () => pick([0, 0.55, 2]),
  contrast: () => pick([0, 1.25, 5]),
  imageBlend: () => pick(["wipe", "blink", "difference", "side"] as const),
  imageSides: () => several(name),
  textMode: () => pick(["markdown", "raw", "diff"] as const),
  textAgainst: name,
  textSteps: () => pick([true, false]),
  textSearch: name,
  cardKinds: () => CARD_KINDS.filter(() => random() < 0.5),
  histogramMode: () => pick(["heatmap", "offset", "overlay", "percentiles"] as const),
  histogramRange: () => pick(["robust", "full"] as const),
  sharedRange: () => random() < 0.5,
  logCount: () => random() < 0.5,
  theme: () => pick(["system", "light", "dark"] as const),
  language: () => pick([null, "en", "zh", "ru"] as const),
};
const CARDS = [
  { logY: false },
  { logX: true, ignoreOutliers: false, smoothing: 0.9 },
  { y: [-0.5, 1e-9], wide: true, baseline: true },
] as const;
const GROUPINGS = [
  { statistic: "mean", band: "sd", members: false },
  { statistic: "median", band: "minmax", members: true },
] as const;

function anyView(): View {
  const view: Record<string, unknown> = { ...DEFAULT_VIEW };
  for (const [field, make] of Object.entries(MAKERS)) if (random() < 0.5) view[field] = make();
  return view as unknown as View;
}

test("any view survives the way through the address", () => {
  for (let round = 0; round < 500; round++) {
    const view = anyView();
    const [search, hash] = printView(view).split("#");
    expect(parseView(search!, `#${hash}`), printView(view)).toEqual(view);
  }
});

test("an address holds nothing that a browser would write in another way", () => {
  for (let round = 0; round < 500; round++) {
    const address = printView(anyView());
    expect(new URL(address, "http://board/").href).toBe(`http://board/${address}`);
  }
});

test("pinned cards of TensorBoard's links are pinned", () => {
  const pinned = JSON.stringify([
    { plugin: "scalars", tag: "eval/loss" },
    { plugin: "images", tag: "input", runId: "a" },
  ]);
  expect(parseView(`?pinnedCards=${encodeURIComponent(pinned)}`, "").pinned).toEqual(["eval/loss"]);
});

test.each([
  ["regex:seed(\\d)", "regex:seed(\\d)"],
  ["regex_by_exp:a|b", "regex:a|b"],
  ["experiment", "run"],
  ["weather", "run"],
])("runColorGroup=%s colours by %s", (given, by) => {
  expect(parseView(`?runColorGroup=${encodeURIComponent(given)}`, "").colorBy).toBe(by);
});

test("a page about a run keeps its name, slashes and all", () => {
  const { page, subject } = parseView("", "#run/sweep/lr=1e-3%2Cbs=8");
  expect([page, subject]).toEqual(["run", "sweep/lr=1e-3,bs=8"]);
});
