import { beforeEach, expect, test, vi } from "vitest";
import type { TagInfo } from "../data/lists";
import { useView } from "../view/view";
import { DEFAULT_VIEW } from "../view/view-state";
import { configColumn, infoColumn } from "./column";
import { runDetails } from "./run-details.fixture";
import { differingKeys, moveColumn, sortBy, toggleColumn, usualColumns } from "./table-columns";

const RUNS = Array.from({ length: 10 }, (_, id) =>
  runDetails(`run ${id}`, {
    id,
    config: { opt: "adamw", seed: id, lr: id / 10, bf16: true, ...(id === 0 && { rare: 1 }) },
  }),
);
const tag = (name: string, holders = 10) =>
  ({ tag: name, runs: Array.from({ length: holders }, (_, id) => id) }) as TagInfo;

beforeEach(() => {
  vi.stubGlobal("location", { pathname: "/", search: "", hash: "" });
  vi.stubGlobal("history", { pushState: () => {}, replaceState: () => {} });
  useView.setState(DEFAULT_VIEW);
});

const ids = (columns: readonly { id: string }[]) => columns.map(({ id }) => id);
const sorting = () => useView.getState().sort.map(({ column, down }) => (down ? `-${column}` : column));

test("hyper-parameters in which runs differ are told apart from those that all share; what people ask for first leads", () => {
  expect(differingKeys(RUNS)).toEqual(["lr", "seed", "rare"]);
});

test("unasked the table shows what decides between runs, and nothing that is nearly empty", () => {
  const tags = [tag("train/loss"), tag("eval/loss"), tag("perf/speed"), tag("val/rare_loss", 2)];
  expect(ids(usualColumns(RUNS, tags, "side"))).toEqual([
    "metric:eval/loss:last",
    "config:lr",
    "config:seed",
    "info:step",
  ]);
  expect(ids(usualColumns(RUNS, tags, "page")).slice(0, 5)).toEqual([
    "info:status",
    "info:created",
    "info:duration",
    "metric:eval/loss:last",
    "metric:train/loss:last",
  ]);
});

test("the scale of a loss is no loss: it is no column unless it is asked for", () => {
  const tags = [
    tag("optimizer/loss_scale"),
    tag("eval/accuracy_top1"),
    tag("train/lm_loss"),
    tag("train/loss_weight"),
  ];
  expect(ids(usualColumns(RUNS, tags, "page")).filter((id) => id.startsWith("metric:"))).toEqual([
    "metric:eval/accuracy_top1:last",
    "metric:train/lm_loss:last",
  ]);
});

test("columns come, go and move; the last one stays", () => {
  const shown = [configColumn("lr"), infoColumn("step")];
  toggleColumn(shown, "config:seed");
  expect(useView.getState().table).toEqual(["config:lr", "info:step", "config:seed"]);
  moveColumn(shown, "info:step", 0);
  expect(useView.getState().table).toEqual(["info:step", "config:lr"]);
  toggleColumn([configColumn("lr")], "config:lr");
  expect(useView.getState().table).toEqual(["info:step", "config:lr"]);
});

test("a head sorts up, down and not at all; with Shift it sorts after what is there", () => {
  sortBy("config:lr", false);
  sortBy("config:lr", false);
  expect(sorting()).toEqual(["-config:lr"]);
  sortBy("name", true);
  sortBy("name", true);
  expect(sorting()).toEqual(["-config:lr", "-name"]);
  sortBy("name", true);
  sortBy("config:lr", false);
  expect(sorting()).toEqual([]);
});

test("a column that goes takes its sorting along", () => {
  useView.setState({
    sort: [
      { column: "config:lr", down: false },
      { column: "name", down: true },
    ],
  });
  toggleColumn([configColumn("lr"), infoColumn("step")], "config:lr");
  expect(sorting()).toEqual(["-name"]);
});
