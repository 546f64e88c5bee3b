/** A table of the figures of a picture, which opens below it. The picture names it by `aria-details`. */

import { type ReactNode, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import style from "./picture-table.module.css";

/** Rows that are shown. */
const MOST_ROWS = 2000;

export interface PictureColumn<Row> {
  key: string;
  head: string;
  /** The first one is the head of the row. */
  cell(row: Row): ReactNode;
}

interface PictureTableProps<Row> {
  /** By which the picture names it. */
  id?: string;
  label: string;
  columns: readonly PictureColumn<Row>[];
  rows: readonly Row[];
}

export function PictureTable<Row>({ id, label, columns, rows }: PictureTableProps<Row>) {
  const say = useWords();
  const [isOpen, open] = useState(false);
  const shown = isOpen ? rows.slice(0, MOST_ROWS) : [];
  return (
    <details id={id} className={style.details} onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <section className={style.scroll} tabIndex={0} aria-label={label}>
          <table className={style.table} aria-label={label}>
            <thead>
              <tr>
                {columns.map(({ key, head }) => (
                  <th key={key} scope="col">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows have no names of their own
                <tr key={at}>
                  {columns.map(({ key, cell }, column) =>
                    column === 0 ? (
                      <th key={key} scope="row">
                        {cell(row)}
                      </th>
                    ) : (
                      <td key={key}>{cell(row)}</td>
                    ),
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {isOpen && rows.length > MOST_ROWS && (
        <p className={style.note}>
          {say("profile.firstRows", { shown: count(MOST_ROWS), total: count(rows.length) })}
        </p>
      )}
    </details>
  );
}
