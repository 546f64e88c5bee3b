import { expect, test } from "vitest";
import { rowsToBuild } from "./use-scheduled-rows";

const rows = [
  { key: "above", near: true },
  { key: "seen", near: false },
  { key: "below", near: true },
  { key: "deeper", near: true },
];

test("at first only what is in view is built", () => {
  expect([...rowsToBuild(rows, null)]).toEqual(["seen"]);
});

test("then one row more each turn", () => {
  const first = rowsToBuild(rows, new Set(["seen"]));
  const second = rowsToBuild(rows, first);
  expect([[...first], [...second], [...rowsToBuild(rows, second)]]).toEqual([
    ["above", "seen"],
    ["above", "seen", "below"],
    ["above", "seen", "below", "deeper"],
  ]);
});

test("what comes into view is built at once, what is no longer listed is forgotten", () => {
  const scrolled = [
    { key: "deeper", near: false },
    { key: "last", near: false },
  ];
  expect([...rowsToBuild(scrolled, new Set(["seen"]))]).toEqual(["deeper", "last"]);
});
