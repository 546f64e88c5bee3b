import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import en from "../src/i18n/en.json";
import { boardWord, hubWord } from "./words.ts";

const HUB = join(import.meta.dirname, "../src/hub");

test("the hub's pages say only words that their build takes along", () => {
  const files = readdirSync(HUB, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  const code = files.map((name) => readFileSync(join(HUB, name), "utf8")).join("\n");
  const said = [...code.matchAll(/"([a-z]\w*\.[\w.]+)"/g)].map(([, id]) => id!).filter((id) => id in en);
  expect(said.filter((id) => !hubWord(id))).toEqual([]);
});

test("both builds have the words of dates, ages and sizes", () => {
  const code = readFileSync(join(import.meta.dirname, "../src/i18n/format.ts"), "utf8");
  const starts = [...code.matchAll(/["`]([a-z]+\.)/g)].map(([, start]) => start!);
  const said = Object.keys(en).filter((id) => starts.some((start) => id.startsWith(start)));
  expect(starts).toContain("age.");
  expect(said.filter((id) => !hubWord(id) || !boardWord(id))).toEqual([]);
});

test("no word is in neither build", () => {
  expect(Object.keys(en).filter((id) => !hubWord(id) && !boardWord(id))).toEqual([]);
});
