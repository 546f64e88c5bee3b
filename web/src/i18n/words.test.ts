import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { compileMessage } from "@lingui/message-utils/compileMessage";
import { expect, test } from "vitest";
import en from "./en.json";
import ru from "./ru.json";
import { browserLanguage } from "./words";
import zh from "./zh.json";

type Catalog = Record<string, string>;
const catalogs: Record<string, Catalog> = { en, zh, ru };
const SRC = join(import.meta.dirname, "..");

/** Names of the values a message takes, out of its compiled parts. */
function values(message: string): string[] {
  const names = new Set<string>();
  // The whole message is a list of parts as well: "better" alone is a word, inside a list it is a value.
  const lineStyle = (part: unknown, depth = 0) => {
    if (!Array.isArray(part)) return;
    if (depth > 0 && typeof part[0] === "string" && part.length <= 3 && /^[a-z]+$/.test(part[0]))
      names.add(part[0]);
    for (const inner of part) lineStyle(inner, depth + 1);
    if (part.length === 3 && typeof part[2] === "object")
      for (const form of Object.values(part[2] as object)) lineStyle(form);
  };
  lineStyle(compileMessage(message));
  return [...names].sort();
}

function* sources(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(name) && !name.includes(".test.")) yield path;
  }
}

test.each(["zh", "ru"])("%s has the words English has, no more and no fewer", (language) => {
  expect(Object.keys(catalogs[language]!).sort()).toEqual(Object.keys(en).sort());
});

test.each(["zh", "ru"])("%s takes the same values in every message", (language) => {
  for (const [id, message] of Object.entries(catalogs[language]!)) {
    expect([id, values(message)]).toEqual([id, values((en as Catalog)[id]!)]);
  }
});

/** What the English catalog said once, with the words it says instead, on every page alike. */
const RETIRED: readonly [instead: string, phrase: RegExp][] = [
  ["Export", /take .*away|taken away/i],
  ["Collapse, Expand", /\b(un)?fold\b|put (them )?away/i],
  ["Default, Normal", /\busual\b/i],
  ["Lowest, Highest, Min, Max", /\bleast (first|…|distance|to)|\bgreatest\b/i],
  ["Visible", /\bon show\b/i],
  ["Clear", /\blet go\b/i],
  ["Reset", /\bzoom back\b|\bas it was\b|\bas they are$/i],
  ["Use page settings, System, Default", /\bas the (page|system|run table|browser|hub)\b/i],
  ["Toggle", /, and back\b/i],
  ["None, No … selected", /^nothing$|\bnothing chosen\b/i],
  ["Unknown column, Enter a value", /\bnothing is called\b|\blacks a value\b/i],
  ["Refresh, Last checked", /\blook for new data\b|\blast look\b/i],
  ["Something went wrong, Reload", /\bhas a fault\b|\bload it again\b/i],
  ["Automatically", /\bby (itself|themselves)\b/i],
  ["Hyperparameter, sidebar", /\bhyper-parameter|\bside bar\b/i],
  ["American spelling", /colour|neighbour|\bgrey\b|\bcentre\b|behaviour|normalis|customis/i],
];

test.each(RETIRED)("English says “%s”, not %s", (_, phrase) => {
  expect(Object.entries(en as Catalog).filter(([, message]) => phrase.test(message))).toEqual([]);
});

test.each(["en", "zh", "ru"])("no message of %s is empty", (language) => {
  expect(Object.entries(catalogs[language]!).filter(([, message]) => message.trim() === "")).toEqual([]);
});

test("Russian and Chinese are in their own letters", () => {
  const latin = (message: string) => !/[\u0400-\u04ff\u4e00-\u9fff]/.test(message);
  const bare = new Set([
    "hub.usage.gpuNumber",
    "values.change",
    "values.percent",
    "take.share",
    "numbers.at",
    "palette.setTo",
    "compare.metric",
    "graphs.totals.flops",
    "profile.column.p95_us",
    "hub.kinds.tensorboard",
    "hub.shell.title",
  ]);
  const left = [zh, ru].flatMap((catalog: Catalog) =>
    Object.entries(catalog).filter(([id, message]) => latin(message) && !bare.has(id)),
  );
  expect(left).toEqual([]);
});

test("plural messages have every form of their language", () => {
  for (const [id, message] of Object.entries(ru as Catalog)) {
    if (!message.includes("plural,") || id.startsWith("empty.files")) continue;
    expect([id, ["one", "few", "many", "other"].every((form) => message.includes(`${form} {`))]).toEqual([
      id,
      true,
    ]);
  }
  for (const [id, message] of Object.entries(en as Catalog)) {
    if (message.includes("plural,")) expect([id, message.includes("one {")]).toEqual([id, true]);
  }
});

test("every message is used", () => {
  const code = [...sources(SRC)].map((path) => readFileSync(path, "utf8")).join("\n");
  const named = new Set([...code.matchAll(/"([\w.]+)"/g)].map(([, id]) => id));
  // `live.${state}` uses all that begin so.
  const begun = new Set([...code.matchAll(/`([\w.]+\.)\$\{/g)].map(([, beginning]) => beginning));
  const composed = (id: string) => begun.has(id.slice(0, id.lastIndexOf(".") + 1));
  expect(Object.keys(en).filter((id) => !composed(id) && !named.has(id))).toEqual([]);
});

test("no words stand in components outside the catalogs", () => {
  const literal = />\s*([A-Z][a-z]+(?: [a-z]+)+|[A-Z][a-z]{3,})\s*</g;
  const attribute = /(?:title|aria-label|placeholder|label|alt)="[^"]*[A-Za-z]{2}[^"]*"/g;
  const found = [...sources(SRC)]
    .filter((path) => path.endsWith(".tsx"))
    .flatMap((path) => {
      const code = readFileSync(path, "utf8");
      return [...code.matchAll(literal), ...code.matchAll(attribute)].map(([text]) => `${path}: ${text}`);
    });
  expect(found).toEqual([]);
});

test("the browser's languages are taken in their order", () => {
  expect(browserLanguage(["fr-FR", "ru-RU", "zh-CN"])).toBe("ru");
  expect(browserLanguage(["zh-TW"])).toBe("zh");
  expect(browserLanguage(["fr"])).toBe("en");
});
