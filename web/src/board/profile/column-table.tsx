/** A virtual table of the profile: the columns that it is given, sorted by a click on one. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the box that scrolls has the focus

import { useColorScheme } from "../view/theme";
import style from "./operators.module.css";
import { type Category, categoryColor } from "./profiles";
import { SortHead } from "./sort-head";
import { useTableRows } from "./table-rows";

/** Columns whose texts may be cut. */
const TITLED: readonly string[] = ["name", "scope", "shapes"];

/** A text for each column. */
type Texts<Column extends string> = { [column in Column]: string };

type CellsOf<Row, Column extends string> = (row: Row) => { [column in Column]: string };

interface ColumnTableProps<Column extends string, Row extends { category: Category }> {
  label: string;
  testId: string;
  rowTestId: string;
  columns: readonly Column[];
  /** Columns of words, which are sorted up at first; numbers are sorted down. */
  wordy: readonly Column[];
  heads: Texts<Column>;
  rows: readonly Row[];
  sort: Column;
  descending: boolean;
  onSort: (sort: Column, descending: boolean) => void;
  cells: CellsOf<Row, Column>;
  /** Opens the slices of a row, by its name. */
  open?: (row: Row) => void;
  marked?: (row: Row, column: Column) => string | undefined;
}

export function ColumnTable<Column extends string, Row extends { category: Category }>(
  props: ColumnTableProps<Column, Row>,
) {
  const { label, testId, rowTestId, columns, rows } = props;
  const scheme = useColorScheme();
  const { scroll, list } = useTableRows(rows.length);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section ref={scroll} className={style.scroll} tabIndex={0} aria-label={label}>
      <div
        role="table"
        className={style.table}
        style={{ height: list.getTotalSize() }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        data-testid={testId}
      >
        <div role="row" className={style.heads} aria-rowindex={1}>
          {columns.map((column) => (
            <SortHead
              key={column}
              text={props.heads[column]}
              className={style.cell}
              column={column}
              sorted={column !== props.sort ? null : props.descending ? "descending" : "ascending"}
              isWordy={props.wordy.includes(column)}
              onSort={(descending) => props.onSort(column, descending)}
            />
          ))}
        </div>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!;
          const cells = props.cells(row);
          return (
            <div
              key={index}
              role="row"
              className={style.row}
              style={{ top: start }}
              aria-rowindex={index + 2}
              data-testid={rowTestId}
            >
              {columns.map((column) => (
                <div
                  key={column}
                  role="cell"
                  className={style.cell}
                  data-column={column}
                  data-marked={props.marked?.(row, column)}
                  title={TITLED.includes(column) ? cells[column] : undefined}
                >
                  {column === "category" && (
                    <span
                      className={style.swatch}
                      style={{ background: categoryColor(row.category, scheme) }}
                    />
                  )}
                  {column === "name" && props.open ? (
                    <button type="button" className={style.open} onClick={() => props.open?.(row)}>
                      <bdi>{cells[column]}</bdi>
                    </button>
                  ) : (
                    <bdi className={style.text}>{cells[column]}</bdi>
                  )}
                </div>
              ))}
            </div>
          );
        })}
      </div>
    </section>
  );
}
