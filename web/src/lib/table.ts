/**
 * Formats a table as CSV, Markdown or LaTeX. Cells are text; numbers are formatted by `exactNumber`, so that they
 * read back unchanged. No I/O.
 */

export interface Table {
  head: readonly string[];
  rows: readonly (readonly string[])[];
  /** Columns of numbers are aligned to the right. */
  numeric: readonly boolean[];
}

/** The shortest text that parses to the same number: "0.1", "1e-7"; "NaN", "Infinity". */
export function exactNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}

/** RFC 4180: comma, CR LF, quotes only if needed. */
export function csvTable({ head, rows }: Table): string {
  return [head, ...rows].map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A table in GitHub's Markdown. */
export function markdownTable({ head, rows, numeric }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const rule = head.map((_, column) => (numeric[column] ? "---:" : ":---"));
  return [head.map(markdownCell), rule, ...rows.map((row) => row.map(markdownCell))].map(line).join("");
}

/** Escapes Markdown: names contain stars, bars and brackets. */
function markdownCell(text: string): string {
  return text.replace(/[\r\n\t]+/g, " ").replace(/[\\`*_{}[\]<>()#!|~]/g, "\\$&");
}

/** A `tabular` with rules of `booktabs`. */
export function latexTable({ head, rows, numeric }: Table): string {
  const line = (cells: readonly string[]) => `  ${cells.map(latexCell).join(" & ")} \\\\\n`;
  const columns = head.map((_, column) => (numeric[column] ? "r" : "l")).join("");
  return [
    "% \\usepackage{booktabs}\n",
    `\\begin{tabular}{${columns}}\n`,
    "  \\toprule\n",
    line(head),
    "  \\midrule\n",
    ...rows.map(line),
    "  \\bottomrule\n",
    "\\end{tabular}\n",
  ].join("");
}

const LATEX: Record<string, string> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
  σ: "$\\sigma$",
  "±": "$\\pm$",
  "−": "$-$",
  "∞": "$\\infty$",
};

function latexCell(text: string): string {
  return text
    .replace(/[\r\n\t]+/g, " ")
    .replace(/[\\~^<>|σ±−∞&%$#_{}]/g, (mark) => LATEX[mark] ?? `\\${mark}`);
}
