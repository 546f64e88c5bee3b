/** The calls of a tree as a virtual table: arrow keys move, open and close. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the table has the focus, and says which row is meant

import { Fragment, type KeyboardEvent, useEffect } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { useColorScheme } from "../view/theme";
import style from "./call-tree.module.css";
import { percent } from "./labels";
import { CALL_COLUMNS, type CallColumn, type CallOrder, type CallTreeNode, categoryColor } from "./profiles";
import { SortHead } from "./sort-head";
import { useTableRows } from "./table-rows";

const INDENT_PX = 14;

/** Columns with their share of the whole beside them. */
const SHARED: readonly CallColumn[] = ["total_us", "self_us"];
const CLASSES: Record<CallColumn, string | undefined> = {
  name: undefined,
  count: `${style.number} ${style.count}`,
  total_us: style.number,
  self_us: style.number,
  mean_us: style.mean,
};

/** A call, or how many more there are `below` one. `level` is from 1. */
export type CallRow =
  | { path: string; level: number; node: CallTreeNode; more?: undefined }
  | { path: string; level: number; node?: undefined; below: string; more: number };

interface CallTableProps {
  /** By which the picture above names it. */
  id: string;
  label: string;
  rows: readonly CallRow[];
  opened: readonly string[];
  whole: number;
  chosen: string | null;
  order: CallOrder;
  onChoose(path: string): void;
  onToggle(path: string): void;
  onSort(sort: CallColumn, descending: boolean): void;
  /** More of the calls below a path are wanted. */
  onMore(path: string): void;
  onSlice(node: CallTreeNode): void;
}

export function CallTable({ id, label, rows, opened, whole, chosen, order, ...on }: CallTableProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const { scroll, list } = useTableRows(rows.length);
  const rowId = (index: number) => `${id}-${index}`;
  const at = rows.findIndex(({ path }) => path === chosen);
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at);
  }, [at, list]);
  const enter = (row: CallRow | undefined) => {
    if (row?.node) on.onSlice(row.node);
    else if (row) showMore(at, row.below);
  };
  /** The row goes; the one before it is chosen, below which the others come. */
  const showMore = (index: number, below: string) => {
    const before = rows[index - 1];
    if (before) on.onChoose(before.path);
    on.onMore(below);
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[at];
    const isOpen = row && opened.includes(row.path);
    const parent = row && rows.findLastIndex(({ level }, index) => index < at && level === row.level - 1);
    const to = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: rows.length - 1,
      ArrowLeft: isOpen ? at : (parent ?? at),
      ArrowRight: isOpen ? at + 1 : at,
      Enter: at,
    }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("[role=columnheader]")) return;
    event.preventDefault();
    if (event.key === "Enter") enter(row);
    const opens = event.key === "ArrowRight" && !isOpen && (row?.node?.children ?? 0) > 0;
    if (row && (opens || (event.key === "ArrowLeft" && isOpen))) on.onToggle(row.path);
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (next && event.key !== "Enter") on.onChoose(next.path);
  };
  return (
    <div ref={scroll} className={style.scroll}>
      <div
        id={id}
        role="treegrid"
        tabIndex={0}
        className={style.table}
        style={{ height: list.getTotalSize() }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={at >= 0 ? rowId(at) : undefined}
        data-testid="calls"
        onKeyDown={press}
        onFocus={(event) => {
          if (event.target === event.currentTarget && at < 0 && rows[0]) on.onChoose(rows[0].path);
        }}
      >
        <div role="row" className={style.heads} aria-rowindex={1}>
          {CALL_COLUMNS.map((column) => (
            <Fragment key={column}>
              <SortHead
                text={say(`profile.column.${column}`)}
                className={CLASSES[column]}
                column={column}
                sorted={column !== order.sort ? null : order.descending ? "descending" : "ascending"}
                isWordy={column === "name"}
                onSort={(descending) => on.onSort(column, descending)}
              />
              {SHARED.includes(column) && (
                <div role="columnheader" className={style.share}>
                  {say("profile.share")}
                </div>
              )}
            </Fragment>
          ))}
        </div>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index]!;
          const { node, level, path } = row;
          const isOpen = opened.includes(path);
          const common = {
            id: rowId(index),
            className: style.row,
            style: { top: start },
            "aria-rowindex": index + 2,
            "aria-level": level,
            "aria-selected": path === chosen,
          };
          if (!node) {
            return (
              <div key={path} role="row" {...common} data-testid="more-calls">
                <div role="gridcell" className={style.name} style={{ paddingLeft: (level - 1) * INDENT_PX }}>
                  <Button
                    className={style.more}
                    size="small"
                    variant="quiet"
                    tabIndex={-1}
                    onClick={() => showMore(index, row.below)}
                  >
                    {say("group.more", { count: row.more })}
                  </Button>
                </div>
              </div>
            );
          }
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the table has the keys
            <div
              key={path}
              role="row"
              {...common}
              aria-expanded={node.children > 0 ? isOpen : undefined}
              data-found={node.is_found || undefined}
              data-testid="call"
              onClick={() => on.onChoose(node.path)}
            >
              <div role="gridcell" className={style.name} style={{ paddingLeft: (level - 1) * INDENT_PX }}>
                <button
                  type="button"
                  tabIndex={-1}
                  className={style.fold}
                  data-empty={node.children === 0 || undefined}
                  aria-label={node.name}
                  onClick={() => on.onToggle(node.path)}
                >
                  <Icon name={isOpen ? "down" : "right"} size={12} />
                </button>
                {node.type === "slice" && (
                  <span
                    className={style.swatch}
                    style={{ background: categoryColor(node.category, scheme) }}
                  />
                )}
                <bdi className={style.text} title={node.name}>
                  {node.name}
                </bdi>
                {node.longest && node.type === "slice" && (
                  <Button
                    className={style.slices}
                    size="small"
                    variant="quiet"
                    icon="full"
                    tabIndex={-1}
                    label={say("profile.showSlices", { name: node.name })}
                    onClick={() => on.onSlice(node)}
                  />
                )}
              </div>
              <div role="gridcell" className={`${style.number} ${style.count}`}>
                {count(node.count)}
              </div>
              <div role="gridcell" className={style.number}>
                {formatMicroseconds(node.total_us)}
              </div>
              <div role="gridcell" className={style.share}>
                {percent(node.total_us, whole)}
              </div>
              <div role="gridcell" className={style.number}>
                {formatMicroseconds(node.self_us)}
              </div>
              <div role="gridcell" className={style.share}>
                {percent(node.self_us, whole)}
              </div>
              <div role="gridcell" className={style.mean}>
                {formatMicroseconds(node.total_us / Math.max(node.count, 1))}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}
