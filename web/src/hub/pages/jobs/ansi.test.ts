import { expect, test } from "vitest";
import { PLAIN, plainText, spansOf } from "./ansi";

const ESC = "\x1b";
const spans = (line: string) =>
  spansOf(line, PLAIN).spans.map(({ text, style }) => [text, style.color, style.bold]);

test("colours and bold text become styles", () => {
  expect(spans(`a${ESC}[1;31mb${ESC}[22mc${ESC}[0md`)).toEqual([
    ["a", null, false],
    ["b", "red", true],
    ["c", "red", false],
    ["d", null, false],
  ]);
});

test.each([
  ["38;5;9", "red"],
  ["38;5;46", "green"],
  ["38;5;240", null],
  ["38;2;10;20;250", "blue"],
  ["38:2:250:240:10", "yellow"],
  ["95", "magenta"],
  ["48;5;1", null],
])("the colour %s is one of the eight: %s", (code, color) => {
  expect(spans(`${ESC}[${code}mx`)).toEqual([["x", color, false]]);
});

test("a style lasts into the next line", () => {
  const { end } = spansOf(`${ESC}[32mgreen`, PLAIN);
  expect(spansOf("still", end).spans).toEqual([{ text: "still", style: { ...PLAIN, color: "green" } }]);
});

test.each([
  [`${ESC}[2K${ESC}[1Aepoch 3\tof 9`, "epoch 3\tof 9"],
  [`${ESC}]8;;https://example.org${ESC}\\link${ESC}]8;;\x07!`, "link!"],
  ["bell\x07 and back\bspace", "bell and backspace"],
  [`cut ${ESC}`, "cut "],
  [`${ESC}]0;title\x07${ESC}]52;c;aGVsbG8=\x07${ESC}[?1049h${ESC}ctext`, "text"],
  [`${ESC}[31mgood\u202edab${ESC}[0m\u200b`, "good\\u202edab\\u200b"],
  [`${ESC}${ESC}]0;title\x07after`, "after"],
  ["plain", "plain"],
])("nothing else is obeyed or shown: %j", (line, text) => {
  expect(plainText(line)).toBe(text);
  expect(
    spansOf(line, PLAIN)
      .spans.map((span) => span.text)
      .join(""),
  ).toBe(text);
});
