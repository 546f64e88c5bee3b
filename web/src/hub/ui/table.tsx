/** A plain table. On a phone the first column stays in view, and others may be left out. */

import type { ReactNode } from "react";
import style from "./table.module.css";

export interface Column<Row> {
  id: string;
  title: string;
  cell(row: Row): ReactNode;
  /** Left out on a phone. */
  wide?: boolean;
  /** Contains only buttons: its title is for screen readers. */
  tools?: boolean;
}

interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey(row: Row): string | number;
  columns: readonly Column<Row>[];
  testId?: string;
}

export function Table<Row>({ label, rows, rowKey, columns, testId }: TableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <div className={style.frame} tabIndex={0}>
      <table className={style.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={column.wide ? style.wide : undefined}>
                <span className={column.tools ? style.unseen : undefined}>{column.title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} data-testid={testId}>
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={[column.wide && style.wide, column.tools && style.tools]
                    .filter(Boolean)
                    .join(" ")}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
