import { afterEach, expect, test, vi } from "vitest";
import { ago, bytes, bytesOf, count, dateTime, duration, whenText } from "./format";
import { type Language, say, speak } from "./words";

afterEach(() => {
  vi.useRealTimers();
  return speak("en");
});

async function each<Value>(make: () => Value): Promise<Value[]> {
  const found: Value[] = [];
  for (const language of ["en", "zh", "ru"] satisfies Language[]) {
    await speak(language);
    found.push(make());
  }
  return found;
}

test("counts have the plural forms of each language", async () => {
  const runs = () => [1, 2, 5, 21, 1000].map((n) => say("card.runs", { runs: n }));
  expect(await each(runs)).toEqual([
    ["1 run", "2 runs", "5 runs", "21 runs", "1,000 runs"],
    ["1 个运行", "2 个运行", "5 个运行", "21 个运行", "1000 个运行"],
    ["1 запуск", "2 запуска", "5 запусков", "21 запуск", "1\u00a0000 запусков"],
  ]);
});

test("lengths of time are said in two units at most", async () => {
  const lengths = () => [0, 59, 68, 3600, 4320, 90_000].map(duration);
  expect(await each(lengths)).toEqual([
    ["0 s", "59 s", "1 m 8 s", "1 h", "1 h 12 m", "1 d 1 h"],
    ["0 秒", "59 秒", "1 分 8 秒", "1 小时", "1 小时 12 分", "1 天 1 小时"],
    ["0 с", "59 с", "1 мин 8 с", "1 ч", "1 ч 12 мин", "1 д 1 ч"],
  ]);
});

test("ages are said in one unit", async () => {
  expect(await each(() => ago(720))).toEqual(["12 min. ago", "12分钟前", "12 мин. назад"]);
});

test("dates follow the language", async () => {
  vi.setSystemTime(new Date(2026, 11, 1));
  const noon = new Date(2026, 10, 20, 12, 4).getTime() / 1000;
  expect(await each(() => dateTime(noon))).toEqual(["Nov 20, 12:04", "11月20日 12:04", "20 нояб., 12:04"]);
});

test("a date of another year says which", async () => {
  vi.setSystemTime(new Date(2026, 0, 1));
  const before = new Date(2025, 11, 31, 12, 4).getTime() / 1000;
  expect(await each(() => dateTime(before))).toEqual([
    "Dec 31, 2025, 12:04",
    "2025年12月31日 12:04",
    "31 дек. 2025 г., 12:04",
  ]);
});

test("sizes are in powers of a thousand", () => {
  expect([0, 999, 1500, 20_480_000, 512_000_000].map(bytes)).toEqual([
    "0 B",
    "999 B",
    "1.5 KB",
    "20 MB",
    "512 MB",
  ]);
  expect(bytesOf(340_000_000, 512_000_000)).toEqual(["340", "512 MB"]);
});

test("counts are grouped as people are used to", async () => {
  expect(await each(() => count(10_000))).toEqual(["10,000", "10,000", "10\u00a0000"]);
});

test("when something was written stands below a word about it; no time is no line", () => {
  expect([whenText(1_750_000_000, "near"), whenText("NaN", "near"), whenText(0)]).toEqual([
    `near\n${dateTime(1_750_000_000)}`,
    "near",
    "",
  ]);
});
