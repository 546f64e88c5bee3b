import { expect, test } from "vitest";
import type { TagInfo } from "../data/lists";
import { chartSections } from "./charts";
import type { CustomCategory } from "./custom-scalars";

function tag(name: string): TagInfo {
  return { tag: name, plugin: "scalars", display_name: name, description: "", runs: [1] };
}

const TAGS = ["loss/a", "loss/b", "lo", "hi"].map(tag);
const ALL = { matches: () => true };
const LAYOUT: CustomCategory[] = [
  {
    title: "c",
    closed: false,
    charts: [
      {
        title: "lines",
        kind: "multiline",
        patterns: [
          { pattern: "loss/.*", tags: ["loss/a", "loss/b"], error: "" },
          { pattern: "loss/a", tags: ["loss/a"], error: "" },
          { pattern: "(", tags: [], error: "no pattern" },
          { pattern: "x", tags: [], error: "" },
        ],
        margins: [],
      },
      {
        title: "lines",
        kind: "margin",
        patterns: [],
        margins: [{ value: "loss/a", lower: "lo", upper: "up", missing: ["up"] }],
      },
    ],
  },
];

test("charts become cards of each tag once, with what is wrong with them", () => {
  const [section] = chartSections(LAYOUT, TAGS, () => [], ALL as never);
  expect(
    section!.cards.map(({ name, parts, margins, faults }) => [
      name,
      parts.map((part) => part.tag.tag),
      margins,
      faults.map(({ pattern, reason }) => `${pattern}:${reason}`),
    ]),
  ).toEqual([
    ["custom/c/lines", ["loss/a", "loss/b"], null, ["(:no pattern", "x:"]],
    ["custom/c/lines (2)", ["loss/a", "lo"], [{ value: "loss/a", lower: "lo", upper: "up" }], ["up:"]],
  ]);
});

test("a filter keeps charts by title or by tag", () => {
  const by = (text: string) =>
    chartSections(LAYOUT, TAGS, () => [], { matches: (each: string) => each === text } as never).flatMap(
      ({ cards }) => cards.map(({ name }) => name),
    );
  expect([by("lo"), by("lines"), by("nothing")]).toEqual([
    ["custom/c/lines (2)"],
    ["custom/c/lines", "custom/c/lines (2)"],
    [],
  ]);
});
