import { expect, test } from "vitest";
import { parseView, printView } from "./view-address";
import { DEFAULT_VIEW, type View } from "./view-state";

const through = (patch: Partial<View>): View => {
  const address = printView({ ...DEFAULT_VIEW, ...patch });
  const [search, hash] = address.split("#");
  return parseView(search!, `#${hash}`);
};

test("the default view is written as nothing but its page", () => {
  expect(printView(DEFAULT_VIEW)).toBe("#timeseries");
});

test("only differences are written, in a readable form", () => {
  const view: View = {
    ...DEFAULT_VIEW,
    smoothing: 0.9,
    tagFilter: "train/loss",
    zoom: [10, 250.5],
    logY: true,
  };
  expect(printView(view)).toBe("?tagFilter=train/loss&smoothing=0.9&zoom=10,250.5&log=true#timeseries");
});

test.each<Partial<View>>([
  { tagFilter: "a & b=c #d" },
  { runFilter: "/^(a|b)\\/c$/" },
  { smoothing: 0 },
  { axis: "wall", zoom: [1.75e9, 1.75e9 + 0.25] },
  { boxes: [{ tag: "a, b%/c", x: [0, 10], y: [-1.5, 2e-9] }] },
  { logY: true, ignoreOutliers: false, columns: 4 },
  { theme: "light" },
  { theme: "dark", language: "ru" },
  { pin: { run: "run,1/训练", step: 9990 } },
  { runs: { base: "none", shown: ["a,b", "50%", "ü/é 😀"], hidden: [] } },
  { runs: { base: "default", shown: [], hidden: ["x&y", "z=1"] } },
])("a view survives the way through the address: %j", (patch) => {
  expect(through(patch)).toEqual({ ...DEFAULT_VIEW, ...patch });
});

test("what makes no sense takes its default", () => {
  const search = "?smoothing=abc&axis=epoch&zoom=5,1&columns=99&darkMode=maybe&lang=xx&pin=nowhere&box=1,2";
  expect(parseView(search, "")).toEqual(DEFAULT_VIEW);
});

test("smoothing is held inside its range", () => {
  expect([parseView("?smoothing=7", "").smoothing, parseView("?smoothing=-1", "").smoothing]).toEqual([
    0.999, 0,
  ]);
});

test("links of TensorBoard's Time Series page are read", () => {
  const view = parseView("?tagFilter=train&runFilter=a%7Cb&smoothing=0.9&darkMode=true", "#timeseries");
  expect(view).toEqual({
    ...DEFAULT_VIEW,
    tagFilter: "train",
    runFilter: "/a|b/",
    smoothing: 0.9,
    theme: "dark",
  });
});

test("links of TensorBoard's older Scalars page open the same view", () => {
  const hidden = btoa(JSON.stringify({ old: false, new: true }));
  const view = parseView(
    "",
    `#scalars&_smoothingWeight=0.3&tagFilter=loss&regexInput=sweep&runSelectionState=${hidden}`,
  );
  expect(view).toEqual({
    ...DEFAULT_VIEW,
    smoothing: 0.3,
    tagFilter: "loss",
    runFilter: "sweep",
    runs: { base: "default", shown: [], hidden: ["old"] },
  });
});

test("a hash with another page keeps its name", () => {
  expect(parseView("", "#histograms").page).toBe("histograms");
});

test("TensorBoard's Distributions are a way of looking at histograms", () => {
  const view = parseView("", "#distributions");
  expect([view.page, view.histogramMode]).toEqual(["histograms", "percentiles"]);
  expect(printView(view)).toBe("?histograms=percentiles#histograms");
  expect(parseView("?histograms=offset", "#distributions").histogramMode).toBe("offset");
});

test("names of the query that are not ours stay in the address", () => {
  expect(printView({ ...DEFAULT_VIEW, smoothing: 0.5 }, "?test=1&smoothing=0.9")).toBe(
    "?test=1&smoothing=0.5#timeseries",
  );
});

test("a broken percent sign breaks nothing", () => {
  expect(parseView("?tagFilter=100%", "").tagFilter).toBe("100%");
});

test("runs to compare may stand behind the page", () => {
  const { page, compare } = parseView("", "#compare?runs=a,b%2Fc");
  expect([page, compare]).toEqual(["compare", ["a", "b/c"]]);
});
