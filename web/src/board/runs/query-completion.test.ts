import { expect, test } from "vitest";
import { completionsAt } from "./query-completion";
import { runDetails } from "./run-details.fixture";

const RUNS = [
  runDetails("vit/seed0", { config: { lr: 3e-4, opt: "adamw", "batch size": 32 }, status: "finished" }),
  runDetails("vit/seed1", { config: { lr: Math.fround(1e-3), opt: "sgd, slow" }, groups: ["vit"] }),
  runDetails("resnet/seed0", { config: { lr: 3e-4, opt: "adamw" }, groups: ["resnet"] }),
];
const NAMES = {
  config: new Set(["lr", "opt", "batch size"]),
  tags: new Set(["eval/loss", "eval/accuracy", "train/loss"]),
};

/** The text after each offer has been taken; the caret is at `|`. */
function completed(text: string, asked = false): string[] {
  const cursor = text.indexOf("|");
  const plain = text.replace("|", "");
  const { from, to, items } = completionsAt(plain, cursor, NAMES, RUNS, ["eval/loss", "lr"], asked);
  return items.map(({ insert }) => plain.slice(0, from) + insert + plain.slice(to));
}

test.each([
  ["eval/lo|", ["eval/loss<"]],
  ["acc|", ["eval/accuracy>"]],
  ["-op|", ["-opt="]],
  ["seed0 LR|", ["seed0 lr="]],
  ["batch|", ['"batch size"=']],
  ["res|", ["resnet/seed0"]],
  ["stat|", ["status:"]],
  ["ev| seed0", ["eval/loss< seed0", "eval/accuracy> seed0"]],
  ["momentum|", []],
  ["/^vit|", []],
  ["|", []],
])("names are completed with the operator that is likely: %j", (text, texts) =>
  expect(completed(text)).toEqual(texts),
);

test.each([
  ["lr|", ["lr=", "lr<=", "lr>=", "lr!=", "lr<", "lr>"]],
  ["eval/loss|", [..."< <= .best .min .max .mean .first".split(" ").map((end) => `eval/loss${end}`)]],
])("a whole name is followed by operators and statistics: %j", (text, texts) =>
  expect(completed(text)).toEqual(texts),
);

test.each([
  ["lr<|", ["lr<3e-4", "lr<1e-3"]],
  ["lr < |", ["lr < 3e-4", "lr < 1e-3"]],
  ["opt=|", ["opt=adamw", 'opt="sgd, slow"']],
  ["opt=lion,a|", ["opt=lion,adamw"]],
  ["opt in (lion, a|", ["opt in (lion, adamw"]],
  ["opt not in (|)", ["opt not in (adamw)", 'opt not in ("sgd, slow")']],
  ["status:|", ["status:finished", "status:idle"]],
  ["group:r|", ["group:resnet"]],
  ["name:res|", ["name:resnet/seed0"]],
  ["eval/loss<|", []],
  ["unknown=|", []],
])("an operator is followed by the values that there are: %j", (text, texts) =>
  expect(completed(text)).toEqual(texts),
);

test("without a text, the columns that tell most come first", () => {
  expect(completed("|", true).slice(0, 3)).toEqual(["eval/loss<", "lr=", "opt="]);
});

test("values say how many runs have them", () => {
  const { items } = completionsAt("opt=", 4, NAMES, RUNS);
  expect(items.map(({ text, runs }) => [text, runs])).toEqual([
    ["adamw", 2],
    ["sgd, slow", 1],
  ]);
});

test("the typed part is marked", () => {
  const { items } = completionsAt("seed1", 5, NAMES, RUNS);
  expect(items).toEqual([{ kind: "run", text: "vit/seed1", insert: "vit/seed1", span: [4, 9] }]);
});
