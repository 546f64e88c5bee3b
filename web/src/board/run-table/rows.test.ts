import { expect, test } from "vitest";
import { naturalOrder } from "../../lib/natural-order";
import { NO_METRICS, parseColumn } from "../runs/column";
import { groupRuns, NO_GROUPS } from "../runs/groups";
import { runDetails } from "../runs/run-details.fixture";
import {
  type Arrangement,
  arrange,
  pinnedCount,
  pinsAbove,
  sortRuns,
  type TableRow,
  treeByDefault,
} from "./rows";

const RUNS = [
  runDetails("baseline", { id: 1, config: { lr: 3e-4 } }),
  runDetails("big/a/seed0", { id: 2, config: { lr: 1e-3 } }),
  runDetails("big/a/seed1", { id: 3, config: { lr: 1e-4 } }),
  runDetails("deep/only/x", { id: 4 }),
  runDetails("big/top", { id: 5, config: { lr: 1e-3 }, label: "The best" }),
];

function shown(rows: readonly TableRow[]): string[] {
  return rows.map((row) => {
    if (row.kind === "head") return `${row.what} ${row.count}`;
    const indent = "  ".repeat(row.depth);
    return row.kind === "run"
      ? indent + row.label
      : `${indent}${row.open ? "v" : ">"} ${row.label} ${row.members.length}`;
  });
}

const FLAT: Arrangement = { pins: [], tree: false, grouped: NO_GROUPS, sorted: true, isOpen: () => true };

test("runs stand one below the other; pinned ones on top, in their own order", () => {
  expect(shown(arrange(RUNS, FLAT))).toEqual([
    "baseline",
    "big/a/seed0",
    "big/a/seed1",
    "deep/only/x",
    "The best",
  ]);
  expect(shown(arrange(RUNS.slice(0, 3), { ...FLAT, pins: ["big/a/seed1", "gone", "baseline"] }))).toEqual([
    "pinned 2",
    "big/a/seed1",
    "baseline",
    "others 1",
    "big/a/seed0",
  ]);
});

test("in folders a folder stands where its first run would, and lone folders are one", () => {
  const lone = [runDetails("x/y/1", { id: 7 }), runDetails("x/y/2", { id: 8 })];
  expect(shown(arrange(lone, { ...FLAT, tree: true }))).toEqual(["v x/y 2", "  1", "  2"]);
  expect(shown(arrange(RUNS, { ...FLAT, tree: true }))).toEqual([
    "baseline",
    "v big 3",
    "  v a 2",
    "    seed0",
    "    seed1",
    "  The best",
    "deep/only/x",
  ]);
  expect(shown(arrange(RUNS, { ...FLAT, tree: true, isOpen: () => false }))).toEqual([
    "baseline",
    "> big 3",
    "deep/only/x",
  ]);
});

test("groups show their members on demand; who belongs nowhere stays single", () => {
  const grouped = groupRuns(RUNS, "config:lr");
  expect(
    shown(arrange(RUNS, { ...FLAT, grouped, isOpen: (key) => key.endsWith(String(grouped.groups[2]!.id)) })),
  ).toEqual(["> lr=3e-4 1", "v lr=1e-3 2", "  big/a/seed0", "  The best", "> lr=1e-4 1", "deep/only/x"]);
});

test("a group of which all runs are pinned stands among the pins as a group", () => {
  const grouped = groupRuns(RUNS, "config:lr");
  const isOpen = () => false;
  const rows = arrange(RUNS, { ...FLAT, grouped, isOpen, pins: ["big/a/seed0", "big/top", "baseline"] });
  expect(shown(rows)).toEqual([
    "pinned 3",
    "> lr=1e-3 2",
    "baseline",
    "others 2",
    "> lr=1e-4 1",
    "deep/only/x",
  ]);
  expect(pinnedCount(rows)).toBe(2);
  expect([0, 1, 2].map((place) => pinsAbove(rows, place))).toEqual([0, 2, 3]);
  expect(shown(arrange(RUNS, { ...FLAT, grouped, isOpen, pins: ["big/top"] })).slice(0, 2)).toEqual([
    "pinned 1",
    "The best",
  ]);
});

test("runs are sorted by several columns; missing values come last and equals keep their order", () => {
  const by = (sort: Parameters<typeof sortRuns>[1]) =>
    sortRuns(RUNS, sort, parseColumn, NO_METRICS, (a, b) => naturalOrder(a.label, b.label)).map(
      ({ id }) => id,
    );
  expect(by([{ column: "config:lr", down: false }])).toEqual([3, 1, 2, 5, 4]);
  expect(by([{ column: "config:lr", down: true }])).toEqual([2, 5, 1, 3, 4]);
  expect(
    by([
      { column: "config:lr", down: true },
      { column: "name", down: true },
    ]),
  ).toEqual([5, 2, 1, 3, 4]);
  expect(by([{ column: "nonsense", down: false }])).toEqual([1, 2, 3, 4, 5]);
});

test("folders are the usual way with many runs in folders", () => {
  const many = Array.from({ length: 21 }, (_, id) => runDetails(`a/${id}`, { id }));
  expect([treeByDefault(many), treeByDefault(many.slice(1)), treeByDefault(RUNS)]).toEqual([
    true,
    false,
    false,
  ]);
});
