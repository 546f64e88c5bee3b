import { expect, test } from "vitest";
import { parseMarkdown } from "./markdown";

const text = (words: string) => ({ kind: "text", text: words });

test("blocks: headings, paragraphs, lists, quotes and code", () => {
  expect(parseMarkdown("# Plan\nfirst\nsecond\n\n- a\n- b\n1. c\n> said\n```\nx < y\n```\nend")).toEqual([
    { kind: "heading", level: 1, parts: [text("Plan")] },
    { kind: "paragraph", parts: [text("first\nsecond")] },
    { kind: "list", ordered: false, items: [[text("a")], [text("b")], [text("c")]] },
    { kind: "quote", parts: [text("said")] },
    { kind: "code", text: "x < y" },
    { kind: "paragraph", parts: [text("end")] },
  ]);
});

test("inside a line: code, emphasis, links", () => {
  expect(parseMarkdown("use `lr` **now** *or* [later](https://a.b/c)")).toEqual([
    {
      kind: "paragraph",
      parts: [
        text("use "),
        { kind: "code", text: "lr" },
        text(" "),
        { kind: "strong", parts: [text("now")] },
        text(" "),
        { kind: "emphasis", parts: [text("or")] },
        text(" "),
        { kind: "link", address: "https://a.b/c", parts: [text("later")] },
      ],
    },
  ]);
});

test.each(["[x](javascript:alert(1))", "<img src=x onerror=alert(1)>", "[x](data:text/html,hi)"])(
  "what could run stays text: %s",
  (source) => {
    const parts = parseMarkdown(source).flatMap((block) => ("parts" in block ? block.parts : []));
    expect(parts.every(({ kind }) => kind === "text")).toBe(true);
  },
);

test("names with underscores are no emphasis", () => {
  expect(parseMarkdown("grad_norm of layer_1")).toEqual([
    { kind: "paragraph", parts: [text("grad_norm of layer_1")] },
  ]);
});

test("an open fence ends with the text", () => {
  expect(parseMarkdown("```\na")).toEqual([{ kind: "code", text: "a" }]);
});
