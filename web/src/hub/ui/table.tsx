/** A plain table. On a phone the first column stays in view, and others may be left out. */

import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
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
  const frame = useRef<HTMLDivElement>(null);
  const scrolls = useOverflow(frame);
  // What scrolls must be reached by keys; a table that fits would only be one more stop of Tab.
  const group = scrolls && ({ role: "group", "aria-label": label, tabIndex: 0 } as const);
  return (
    <div ref={frame} className={style.frame} {...group}>
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

/** Whether the content is wider than the frame, now and after either has changed its size. */
function useOverflow(frame: RefObject<HTMLElement | null>): boolean {
  const [overflows, setOverflows] = useState(false);
  useLayoutEffect(() => {
    const element = frame.current!;
    const measure = () => setOverflows(element.scrollWidth > element.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    measure();
    return () => observer.disconnect();
  }, [frame]);
  return overflows;
}
