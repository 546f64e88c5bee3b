import { expect, test } from "vitest";
import { csvTable, exactNumber, latexTable, markdownTable, type Table } from "./table";

const TABLE: Table = {
  head: ["run", "loss_min"],
  rows: [
    ['a|b, 50% "x"', "0.1"],
    ["тест\n损失", "1e-7"],
  ],
  numeric: [false, true],
};

test("CSV quotes what needs it and nothing else", () => {
  expect(csvTable(TABLE)).toBe('run,loss_min\r\n"a|b, 50% ""x""",0.1\r\n"тест\n损失",1e-7\r\n');
});

test("Markdown aligns numbers to the right, and names show as they are", () => {
  expect(markdownTable(TABLE)).toBe(
    '| run | loss\\_min |\n| :--- | ---: |\n| a\\|b, 50% "x" | 0.1 |\n| тест 损失 | 1e-7 |\n',
  );
});

test("LaTeX escapes every mark of its own", () => {
  expect(latexTable(TABLE)).toBe(
    [
      "% \\usepackage{booktabs}",
      "\\begin{tabular}{lr}",
      "  \\toprule",
      "  run & loss\\_min \\\\",
      "  \\midrule",
      '  a\\textbar{}b, 50\\% "x" & 0.1 \\\\',
      "  тест 损失 & 1e-7 \\\\",
      "  \\bottomrule",
      "\\end{tabular}",
      "",
    ].join("\n"),
  );
  const odd = { head: ["\\{~^}#$&%_<>"], rows: [], numeric: [false] };
  expect(latexTable(odd)).toContain(
    "\\textbackslash{}\\{\\textasciitilde{}\\textasciicircum{}\\}\\#\\$\\&\\%\\_\\textless{}\\textgreater{}",
  );
});

test("numbers read back as they were", () => {
  for (const value of [0.1, 1 / 3, 1e-320, 2 ** 60, -0, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(Number(exactNumber(value))).toBe(value);
  }
});
