import { expect, test } from "vitest";
import { runDetails } from "./run-details.fixture";
import { runLabels } from "./run-labels";

const called = (...names: string[]) => {
  const { common, short } = runLabels(names.map((name, id) => runDetails(name, { id })));
  return [common, [...short.values()]];
};

test("seeds of one setting are called by their seed", () => {
  expect(called("imagenet1k/vit/lr0.001/seed0", "imagenet1k/vit/lr0.001/seed1")).toEqual([
    "imagenet1k/vit/lr0.001",
    ["seed0", "seed1"],
  ]);
});

test("what the runs share behind is said once as well", () => {
  expect(called("adam/lr1/train", "sgd/lr1/train")).toEqual(["lr1/train", ["adam", "sgd"]]);
});

test("runs that share nothing, and a run alone, keep their names", () => {
  expect(called("a/x", "b/y")).toEqual(["", []]);
  expect(called("a/b/c")).toEqual(["", []]);
});

test("a run that somebody named is called so", () => {
  const runs = [
    runDetails("a/x", { id: 1 }),
    runDetails("a/y", { id: 2 }),
    runDetails("a/z", { id: 3, label: "best" }),
  ];
  expect([...runLabels(runs).short]).toEqual([
    [1, "x"],
    [2, "y"],
  ]);
});
