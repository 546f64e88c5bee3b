import { expect, test } from "vitest";
import type { JobLog } from "../../../api/hub-schema.gen";
import { LogBuffer, matchesOf } from "./log-buffer";

const part = (texts: readonly string[], fields: Partial<JobLog> = {}): JobLog => ({
  attempt: 1,
  lines: texts.map((text) => ({ at: 1, text: text.replace(/\r$/, ""), transient: text.endsWith("\r") })),
  cursor: 100,
  lost_bytes: 0,
  complete: false,
  ...fields,
});
const texts = (buffer: LogBuffer) => buffer.lines.map(({ text }) => text);

test("a transient line gives way to the next one, also in a later part", () => {
  const buffer = new LogBuffer(0);
  buffer.add(part(["start", "1 %\r", "2 %\r"]));
  expect(texts(buffer)).toEqual(["start", "2 %"]);
  buffer.add(part(["3 %\r"]));
  buffer.add(part(["done", "end"]));
  expect(texts(buffer)).toEqual(["start", "done", "end"]);
  expect(buffer.lines.map(({ number }) => number)).toEqual([0, 1, 2]);
});

test("the end of a log keeps a bounded number of lines and says that there are earlier ones", () => {
  const buffer = new LogBuffer(1000, 10, 4);
  buffer.add(part(["a", "b"]));
  expect([buffer.earlier, buffer.full]).toEqual([false, false]);
  buffer.add(part([..."cdefghijk"]));
  expect(texts(buffer)).toEqual([..."fghijk"]);
  expect([buffer.earlier, buffer.full, buffer.lines[0]!.number]).toEqual([true, false, 5]);
});

test("a tail that does not reach back to the beginning says so", () => {
  const buffer = new LogBuffer(1000);
  expect(buffer.cursor).toBe(-1000);
  buffer.add(part(["x"], { cursor: 5000 }));
  expect([buffer.earlier, buffer.cursor]).toEqual([true, 5000]);
});

test("the beginning of a log is read until there is no room", () => {
  const buffer = new LogBuffer(0, 3);
  expect(buffer.cursor).toBe(0);
  buffer.add(part(["a", "b"], { lost_bytes: 70 }));
  expect([buffer.full, buffer.lostBytes]).toEqual([false, 70]);
  buffer.add(part(["c", "d"]));
  expect([buffer.full, texts(buffer)]).toEqual([true, ["a", "b", "c", "d"]]);
});

test("an empty part changes nothing unless it is the last one", () => {
  const buffer = new LogBuffer(0);
  const before = buffer.lines;
  expect([buffer.add(part([])), buffer.add(part([], { complete: true }))]).toEqual([false, true]);
  expect([buffer.lines === before, buffer.complete]).toEqual([true, true]);
});

test("a colour lasts from line to line, and a replaced line does not spoil it", () => {
  const buffer = new LogBuffer(0);
  buffer.add(part(["\x1b[31mred", "\x1b[32m5 %\r", "red as well"]));
  expect(buffer.lines.map(({ style }) => style.color)).toEqual([null, "red"]);
});

test("a search finds every occurrence, whatever its case", () => {
  expect(matchesOf(["Loss loss", "acc", "gloss"], "loss")).toEqual([
    { line: 0, from: 0, to: 4 },
    { line: 0, from: 5, to: 9 },
    { line: 2, from: 1, to: 5 },
  ]);
  expect(matchesOf(["a"], "")).toEqual([]);
});
