import { expect, test } from "vitest";
import { NO_METRICS } from "./column";
import { parseQuery, QueryError, quoteTerm, unfinishedTerm, withTerm } from "./query";
import type { RunDetails } from "./run-details";
import { runDetails } from "./run-details.fixture";

const RUNS = [
  runDetails("baseline", { id: 0, config: { lr: 3e-4, opt: "adamw", bf16: true }, status: "running" }),
  runDetails("lr_1e-3", { id: 1, config: { lr: Math.fround(1e-3), opt: "sgd" }, tags: ["ablation"] }),
  runDetails("big/seed0", { id: 2, config: { lr: 1e-2 }, note: "diverged at 4k", groups: ["big"] }),
  runDetails("big/seed 1", { id: 3, created: 1_763_640_000, duration: 7_200, status: "failed" }),
];
const KNOWN = {
  config: new Set(["lr", "opt", "bf16", "batch size"]),
  tags: new Set(["eval/loss", "train/acc"]),
};
const METRICS = new Map([
  [
    "metric:eval/loss:min",
    new Map([
      [0, 0.4],
      [1, 0.6],
      [2, Number.NaN],
    ]),
  ],
]);

function found(text: string, runs: readonly RunDetails[] = RUNS): string[] {
  const query = parseQuery(text, KNOWN);
  return runs.filter((run) => query.matches(run, METRICS)).map(({ name }) => name);
}

function fault(text: string): [string, string] | null {
  try {
    parseQuery(text, KNOWN);
    return null;
  } catch (error) {
    return error instanceof QueryError ? [error.reason, error.about] : null;
  }
}

test.each([
  ["", ["baseline", "lr_1e-3", "big/seed0", "big/seed 1"]],
  ["SEED", ["big/seed0", "big/seed 1"]],
  ["big 0", ["big/seed0"]],
  ["-big", ["baseline", "lr_1e-3"]],
  ['"seed 1"', ["big/seed 1"]],
  ["/^b.*\\d$/", ["big/seed0", "big/seed 1"]],
  ["/seed 1|base/", ["baseline", "big/seed 1"]],
  ["/^big/ -0", ["big/seed 1"]],
  ["name:base", ["baseline"]],
])("names are found by %j", (text, names) => expect(found(text)).toEqual(names));

test.each([
  ["lr<5e-4", ["baseline"]],
  ["lr<=1e-3", ["baseline", "lr_1e-3"]],
  ["lr<1e-3", ["baseline"]],
  ["lr=1e-3", ["lr_1e-3"]],
  ["LR=1e-3,3e-4", ["baseline", "lr_1e-3"]],
  ["lr!=3e-4", ["lr_1e-3", "big/seed0"]],
  ["opt=adamw", ["baseline"]],
  ["bf16=true", ["baseline"]],
  ["-opt:adamw -lr>0.005", ["lr_1e-3", "big/seed 1"]],
])("hyper-parameters are compared by %j; a run without them is not found", (text, names) =>
  expect(found(text)).toEqual(names),
);

test.each([
  ["lr < 5e-4", ["baseline"]],
  ["lr<= 1e-3 -opt == sgd", ["baseline"]],
  ["big lr >1e-3", ["big/seed0"]],
  ["lr==1e-3", ["lr_1e-3"]],
  ["status: running", ["baseline"]],
  ["/^big/ 'seed 1'", ["big/seed 1"]],
])("spaces beside an operator, and a doubled sign, are read as people mean them: %j", (text, names) =>
  expect(found(text)).toEqual(names),
);

test.each([
  ["lr<1e-3 AND opt=adamw", ["baseline"]],
  ["lr<1e-3 and opt = adamw", ["baseline"]],
  ["lr<1e-3 && big", []],
  ["opt=adamw OR opt=sgd", ["baseline", "lr_1e-3"]],
  ["base or opt == sgd || status:failed", ["baseline", "lr_1e-3", "big/seed 1"]],
  ["big AND 0 OR base", ["baseline", "big/seed0"]],
  ["NOT big", ["baseline", "lr_1e-3"]],
  ["big and not lr=1e-2", ["big/seed 1"]],
  ["NOT -opt=sgd", ["lr_1e-3"]],
  ["base OR", ["baseline"]],
  ["AND OR", ["baseline", "lr_1e-3", "big/seed0", "big/seed 1"]],
])("terms are joined as elsewhere: %j", (text, names) => expect(found(text)).toEqual(names));

test.each([
  ["and", ["and"]],
  ["AND", ["and"]],
  ["this or that", ["this or that"]],
  ["x 'or' lr<1", ["x or y"]],
  ["checked in (copy)", ["checked in (copy)"]],
  ["(copy) OR and", ["and", "checked in (copy)"]],
])("a name that holds such a word is found: %j", (text, names) => {
  const runs = ["and", "this or that", "x or y", "x", "checked in (copy)"];
  const details = runs.map((name) => runDetails(name, { config: { lr: 0.1 } }));
  expect(found(text, details)).toEqual(names);
});

test.each([
  ["opt:adamw, sgd", ["baseline", "lr_1e-3"]],
  ["opt = adamw , sgd lr<1e-3", ["baseline"]],
  ["opt:adamw, lr<1e-3", ["baseline"]],
  ["opt in (adamw, 'sgd')", ["baseline", "lr_1e-3"]],
  ["lr in [3e-4, 1e-2] big", ["big/seed0"]],
  ["opt not in (adamw)", ["lr_1e-3"]],
  ['opt="adamw", "sgd"', ["baseline", "lr_1e-3"]],
  ["-opt:adamw, sgd", ["big/seed0", "big/seed 1"]],
  ["status:running,failed", ["baseline", "big/seed 1"]],
  ["name in (base, 'seed 1')", ["baseline", "big/seed 1"]],
  ["name:/e{1,2}d/", ["big/seed0", "big/seed 1"]],
])("one of several values: %j", (text, names) => expect(found(text)).toEqual(names));

test("a value with a comma is found as it is, in quotes as nothing else", () => {
  const runs = ["a,b", "a"].map((layers) => runDetails(layers, { config: { opt: layers } }));
  expect(found("opt=a,b", runs)).toEqual(["a,b", "a"]);
  expect(found('opt="a,b"', runs)).toEqual(["a,b"]);
});

test("a run without the value is unlike it only where the term is turned round", () => {
  expect(found("opt!=sgd")).toEqual(["baseline"]);
  expect(found("-opt=sgd")).toEqual(["baseline", "big/seed0", "big/seed 1"]);
});

test("runs that diverged are found by what their metric came to", () => {
  expect(found("eval/loss.min=nan")).toEqual(["big/seed0"]);
  expect(found("eval/loss.min!=NaN")).toEqual(["baseline", "lr_1e-3"]);
});

test("a sign of comparison where nothing stands before it is looked for in names", () =>
  expect(found("/x|y/ <b", [runDetails("x <b>"), runDetails("y")])).toEqual(["x <b>"]));

test.each([
  ["status:running", ["baseline"]],
  ["status:fail", ["big/seed 1"]],
  ["tag:ablation", ["lr_1e-3"]],
  ["note:diverged", ["big/seed0"]],
  ["group:big", ["big/seed0"]],
  ["duration>1.5h", ["big/seed 1"]],
  ["created>2025-11-01", ["big/seed 1"]],
])("what is known of a run is asked by %j", (text, names) => expect(found(text)).toEqual(names));

test("a metric is compared by its statistic, and the query says which it needs", () => {
  expect(found("eval/loss.min<0.5")).toEqual(["baseline"]);
  expect(found("loss.min>0.5")).toEqual(["lr_1e-3"]);
  expect(parseQuery("acc>0.5 eval/loss.min<1", KNOWN).metrics.map(({ id }) => id)).toEqual([
    "metric:train/acc:last",
    "metric:eval/loss:min",
  ]);
});

test("text that looks like a term but names no column is looked for in names", () => {
  const runs = [runDetails("wd=0.1,seed=3"), runDetails("wd=0.2")];
  expect(found("wd=0.1", runs)).toEqual(["wd=0.1,seed=3"]);
});

test("a query that makes no sense says what it stumbled over", () => {
  expect(fault("momentum<1")).toEqual(["column", "momentum"]);
  expect(fault("lr<")).toEqual(["value", "lr<"]);
  expect(fault("lr<fast")).toEqual(["number", "fast"]);
  expect(fault("/(/")).toEqual(["regex", "/(/"]);
  expect(fault("momentum == 0.9")).toEqual(["column", "momentum"]);
  expect(fault("big AND (lr<1 OR opt=sgd)")).toEqual(["brackets", "(lr<1"]);
  expect(fault("(big OR base) lr<1")).toEqual(["brackets", "(big"]);
});

test("the part of a name that was asked for is told", () => {
  const query = parseQuery("-x lr<1 seed", KNOWN);
  expect(query.find("big/seed0")).toEqual([4, 8]);
  expect(query.matches(RUNS[2]!, NO_METRICS)).toBe(true);
});

test("10,000 runs are looked through within a key press", () => {
  const runs = Array.from({ length: 10_000 }, (_, id) =>
    runDetails(`run_${id}`, { id, config: { lr: id / 1e4 } }),
  );
  expect(found("lr<0.5 -7 /_\\d+[02468]$/", runs).length).toBeGreaterThan(0);
});

test.each(["big/seed 1", "-a", "a=b:c<5", "/x/", 'say "hi"', "<b>", "запуск", "lr_1e-3"])(
  "a name that is quoted finds its run: %j",
  (name) => expect(found(quoteTerm(name), [runDetails(name), runDetails("another")])).toEqual([name]),
);

test.each([
  ["eval/lo", { term: "eval/lo", rest: "" }],
  ["big lr<1 -eval", { term: "eval", rest: "big lr<1 " }],
  ["eval/lo big", null],
  ["eval/loss<", null],
  ["/eval/", null],
  ['"eval"', null],
  ["opt:adamw, eval", null],
  ["OR", null],
  ["", null],
])("a name of a column that is not compared with anything is unfinished: %j", (text, term) =>
  expect(unfinishedTerm(text, KNOWN)).toEqual(term),
);

test.each([
  ["", "-status:diverged"],
  ["big lr<1", "big lr<1 -status:diverged"],
  ["big OR lr<1 or opt:a", "big -status:diverged OR lr<1 -status:diverged or opt:a -status:diverged"],
  ["big or small", "big or small -status:diverged"],
  ["/two words/", "/two\\swords/ -status:diverged"],
])("a term is added to every alternative: %j", (text, filter) =>
  expect(withTerm(text, "-status:diverged")).toBe(filter),
);

test("runs that failed or are running may have diverged as well", () => {
  const nonfinite = { tag: "loss", step: 1, value: Number.NaN, tags: 1 };
  const runs = (["running", "failed", "finished"] as const).flatMap((status) => [
    runDetails(status, { status }),
    runDetails(`${status} with NaN`, { status, nonfinite }),
  ]);
  expect(found("status:diverged", runs)).toEqual([
    "running with NaN",
    "failed with NaN",
    "finished with NaN",
  ]);
  expect(found("status:finished", runs)).toEqual(["finished"]);
});
