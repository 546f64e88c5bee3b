import { expect, test } from "vitest";
import { type Entry, find } from "./entry";

const entry = (id: string, kind: Entry["kind"], text: string, also: string[] = []): Entry => ({
  id,
  kind,
  text,
  also,
  run: () => {},
});
const ENTRIES = [
  entry("log", "action", "Log y on all cards", ["所有卡片用对数 y 轴", "Логарифм y на всех карточках"]),
  entry("dark", "setting", "Theme: Dark", ["主题: 深色", "Тема: тёмная"]),
  entry("grad", "tag", "train/grad_norm"),
  entry("upgrade", "run", "upgraded"),
  entry("long", "tag", "train/grad_norm/layers"),
];
const ids = (typed: string, recent: string[] = []) =>
  find(ENTRIES, typed, recent).map(({ entry: { id } }) => id);

test("the best answer is first", () => {
  expect(ids("grad")).toEqual(["grad", "long", "upgrade"]);
});

test.each(["тёмная", "深色", "dark"])("words of any language answer: %s", (typed) => {
  expect(ids(typed)[0]).toBe("dark");
});

test.each([
  ["пкфв", "grad"],
  ["ntvf", "dark"],
])("the keys count, whatever the layout: %s", (typed, id) => {
  expect(ids(typed)[0]).toBe(id);
});

test("what was chosen lately wins over an equal answer", () => {
  expect(ids("train", ["long"])[0]).toBe("long");
});

test("with nothing typed the recent ones lead", () => {
  expect(ids("", ["dark", "gone"])).toEqual(["dark", "log", "grad", "upgrade", "long"]);
});

test("an answer under another name says under which", () => {
  expect(find(ENTRIES, "логарифм", [])[0]).toMatchObject({ by: "Логарифм y на всех карточках", span: null });
});
