/** The comparison as text: Markdown for people, CSV with every digit for programs. Pure. */

import type { ConfigRow, MetricRow } from "./rows";

export interface Comparison {
  runs: readonly string[];
  config: readonly ConfigRow[];
  metrics: readonly MetricRow[];
  /** The label of a metric and its statistic: "eval/loss (min)". */
  metricName(row: MetricRow): string;
}

export function toCsv(comparison: Comparison): string {
  return table(comparison)
    .map((row) => row.map(csvField).join(","))
    .join("\n")
    .concat("\n");
}

export function toMarkdown(comparison: Comparison): string {
  const [head, ...rows] = table(comparison).map((row) => `| ${row.map(markdownCell).join(" | ")} |`);
  const rule = `|${" --- |"}${" ---: |".repeat(comparison.runs.length)}`;
  return [head, rule, ...rows].join("\n").concat("\n");
}

function table({ runs, config, metrics, metricName }: Comparison): string[][] {
  return [
    ["", ...runs],
    ...config.map(({ key, values }) => [
      key,
      ...values.map((value) => (value === undefined ? "" : String(value))),
    ]),
    ...metrics.map((row) => [
      metricName(row),
      ...row.values.map((value) => (value === null ? "" : String(value))),
    ]),
  ];
}

function csvField(text: string): string {
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function markdownCell(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll("|", "\\|")
    .replace(/\s*\n\s*/g, " ");
}
