import { expect, test } from "vitest";
import { type Comparison, toCsv, toMarkdown } from "./comparison-text";
import { metricRow } from "./rows";

const SHEET: Comparison = {
  runs: ["base, old", "a|b"],
  config: [{ key: "lr", values: [0.1 + 0.2, undefined] }],
  metrics: [metricRow("loss", [{ last: 0.5, min: 0, max: 1, mean: 0 }, undefined], "last")],
  metricName: ({ tag, stat }) => `${tag} (${stat})`,
};

test("CSV holds every digit, and quotes what would split a field", () => {
  expect(toCsv(SHEET)).toBe(',"base, old",a|b\nlr,0.30000000000000004,\nloss (last),0.5,\n');
});

test("Markdown is a table whose cells cannot break it", () => {
  expect(toMarkdown(SHEET)).toBe(
    "|  | base, old | a\\|b |\n| --- | ---: | ---: |\n| lr | 0.30000000000000004 |  |\n| loss (last) | 0.5 |  |\n",
  );
});
