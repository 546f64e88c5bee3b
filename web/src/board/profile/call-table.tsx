/** The calls of a tree as a virtual table: arrow keys move, open and close. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the table has the focus, and says which row is meant

import { type KeyboardEvent, useEffect, useId } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { useColorScheme } from "../view/theme";
import style from "./call-tree.module.css";
import { percent } from "./labels";
import { type CallTreeNode, categoryColor } from "./profiles";
import { useTableRows } from "./table-rows";

const INDENT_PX = 14;

export interface CallRow {
  node: CallTreeNode;
  /** From 1. */
  level: number;
}

interface CallTableProps {
  label: string;
  rows: readonly CallRow[];
  opened: readonly string[];
  whole: number;
  chosen: string | null;
  onChoose(path: string): void;
  onToggle(path: string): void;
  onSlice(node: CallTreeNode): void;
}

export function CallTable({ label, rows, opened, whole, chosen, ...on }: CallTableProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const id = useId();
  const { scroll, list } = useTableRows(rows.length);
  const at = rows.findIndex(({ node }) => node.path === chosen);
  useEffect(() => {
    if (at >= 0) list.scrollToIndex(at);
  }, [at, list]);
  const press = (event: KeyboardEvent) => {
    const row = rows[at];
    const isOpen = row && opened.includes(row.node.path);
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
    event.preventDefault();
    if (row && event.key === "Enter") on.onSlice(row.node);
    const opens = event.key === "ArrowRight" && !isOpen && (row?.node.children ?? 0) > 0;
    if (row && (opens || (event.key === "ArrowLeft" && isOpen))) on.onToggle(row.node.path);
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    if (next) on.onChoose(next.node.path);
  };
  return (
    <div ref={scroll} className={style.scroll}>
      <div
        role="treegrid"
        tabIndex={0}
        className={style.table}
        style={{ height: list.getTotalSize() }}
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-activedescendant={at >= 0 ? `${id}${at}` : undefined}
        data-testid="calls"
        onKeyDown={press}
        onFocus={(event) => {
          if (event.target === event.currentTarget && at < 0 && rows[0]) on.onChoose(rows[0].node.path);
        }}
      >
        <div role="row" className={style.heads} aria-rowindex={1}>
          <div role="columnheader">{say("profile.column.name")}</div>
          <div role="columnheader" className={`${style.number} ${style.count}`}>
            {say("profile.column.count")}
          </div>
          <div role="columnheader" className={style.number}>
            {say("profile.column.total_us")}
          </div>
          <div role="columnheader" className={style.share}>
            {say("profile.share")}
          </div>
          <div role="columnheader" className={style.number}>
            {say("profile.column.self_us")}
          </div>
          <div role="columnheader" className={style.share}>
            {say("profile.share")}
          </div>
        </div>
        {list.getVirtualItems().map(({ index, start }) => {
          const { node, level } = rows[index]!;
          const isOpen = opened.includes(node.path);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the table has the keys
            <div
              key={node.path}
              id={`${id}${index}`}
              role="row"
              className={style.row}
              style={{ top: start }}
              aria-rowindex={index + 2}
              aria-level={level}
              aria-expanded={node.children > 0 ? isOpen : undefined}
              aria-selected={node.path === chosen}
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
            </div>
          );
        })}
      </div>
    </div>
  );
}
