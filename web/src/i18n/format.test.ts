import { afterEach, expect, test, vi } from "vitest";
import {
  ago,
  bytes,
  bytesOf,
  colon,
  count,
  dateTime,
  duration,
  listOf,
  roughDuration,
  timeNear,
  whenText,
} from "./format";
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
    ["0\u00a0с", "59\u00a0с", "1\u00a0мин 8\u00a0с", "1\u00a0ч", "1\u00a0ч 12\u00a0мин", "1\u00a0д 1\u00a0ч"],
  ]);
});

test("what is some time away is said without seconds", () => {
  expect([0, 59, 60, 719, 4320].map(roughDuration)).toEqual(["0 s", "59 s", "1 m", "11 m", "1 h 12 m"]);
});

test("a time of another day is said with its day", () => {
  const now = new Date(2026, 10, 28, 23, 50).getTime() / 1000;
  vi.useFakeTimers({ now: now * 1000 });
  expect([timeNear(now + 300, now), timeNear(now + 900, now)]).toEqual(["23:55", "Nov 29, 00:05"]);
});

test("ages are said in one unit", async () => {
  const ages = () => [0, 59, 720, 3600, 200_000, 6_000_000, 70_000_000].map(ago);
  expect(await each(ages)).toEqual([
    ["0 s ago", "59 s ago", "12 min ago", "1 h ago", "2 days ago", "2 months ago", "2 years ago"],
    ["0 秒前", "59 秒前", "12 分钟前", "1 小时前", "2 天前", "2 个月前", "2 年前"],
    [
      "0\u00a0с назад",
      "59\u00a0с назад",
      "12\u00a0мин назад",
      "1\u00a0ч назад",
      "2\u00a0дня назад",
      "2\u00a0месяца назад",
      "2\u00a0года назад",
    ],
  ]);
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
    "1.5 kB",
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

test.each<[Language, string, string]>([
  ["en", ": ", "read, write"],
  ["zh", "：", "read、write"],
  ["ru", ": ", "read, write"],
])("labels and lists are punctuated as in %s", async (language, between, list) => {
  await speak(language);
  expect([colon(), listOf(["read", "write"])]).toEqual([between, list]);
});

test("a time that no calendar has is no error", () => {
  expect([dateTime(1e308), whenText(1e308, "near")]).toEqual(["–", "near\n–"]);
});
