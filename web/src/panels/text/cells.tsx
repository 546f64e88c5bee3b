/** A text, or the table of texts that a value holds. */

import type { ReactNode } from "react";
import { useWords } from "../../words/words";
import style from "./cells.module.css";
import { SafeHtml } from "./safe-html";
import type { TextForm, TextValue } from "./shown";

/** `form` is that in which the cells came. */
export function Cells({ text, form }: { text: TextValue; form: TextForm }) {
  const say = useWords();
  const cell = (content: string): ReactNode =>
    form === "markdown" ? <SafeHtml html={content} /> : <Raw text={content} />;
  if (text.cells.every((each) => each.trim() === ""))
    return <p className={style.empty}>{say("text.empty")}</p>;
  if (text.rows === 1 && text.columns === 1) return cell(text.cells[0] ?? "");
  const rows: string[][] = [];
  for (let at = 0; at < text.cells.length; at += text.columns)
    rows.push(text.cells.slice(at, at + text.columns));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled by keys too
    <section className={style.wide} tabIndex={0} aria-label={say("text.tableLabel")}>
      <table className={style.table}>
        <tbody>
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its place
            <tr key={at}>
              {row.map((content, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above
                <td key={place}>{cell(content)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function Raw({ text }: { text: string }) {
  return (
    <pre className={style.raw} dir="auto">
      {text}
    </pre>
  );
}
