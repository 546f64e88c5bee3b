/** The operators of a capture as a virtual table: sorted by any column, and searched by words. */

// biome-ignore-all lint/a11y/useSemanticElements: rows that come and go as one scrolls cannot be those of a table element
// biome-ignore-all lint/a11y/useFocusableInteractive: the box that scrolls has the focus

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Field } from "../../ui/field";
import { Icon } from "../../ui/icon";
import { observeListRect, scrollIfNeeded } from "../../ui/virtual-list";
import { useColorScheme } from "../view/theme";
import { change, useView } from "../view/view";
import style from "./operators.module.css";
import {
  type CaptureName,
  categoryColor,
  MAX_OPERATORS,
  OPERATOR_COLUMNS,
  type OperatorColumn,
  type ProfileOperator,
  showProfile,
  useOperators,
} from "./profiles";

const ROW_PX = 28;
const TYPING_MS = 200;
const WORDY: readonly OperatorColumn[] = ["name", "category", "scope"];

export function Operators({ name }: { name: CaptureName }) {
  const say = useWords();
  const { search, sort, descending } = useView((view) => view.profile);
  const { data, error } = useOperators(name, { search, sort, descending, limit: MAX_OPERATORS }, true);
  const rows = data?.operators ?? [];
  const scroll = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    paddingStart: ROW_PX,
    observeElementRect: observeListRect,
    scrollToFn: scrollIfNeeded,
  });
  return (
    <section className={style.page} aria-label={say("profile.view.operators")}>
      <div className={style.tools}>
        <Search text={search} fault={error?.message ?? null} />
        <p className={style.note} role="status">
          {data && rows.length < data.total
            ? say("profile.foundSome", { count: data.total, shown: count(rows.length) })
            : say("profile.found", { count: data?.total ?? 0 })}
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section ref={scroll} className={style.scroll} tabIndex={0} aria-label={say("profile.view.operators")}>
        <div
          role="table"
          className={style.table}
          style={{ height: list.getTotalSize() }}
          aria-label={say("profile.view.operators")}
          aria-rowcount={rows.length + 1}
          data-testid="operators"
        >
          <div role="row" className={style.heads} aria-rowindex={1}>
            {OPERATOR_COLUMNS.map((column) => (
              <Head key={column} column={column} sorted={column === sort} descending={descending} />
            ))}
          </div>
          {list.getVirtualItems().map(({ index, start }) => (
            <Row key={index} row={rows[index]!} top={start} place={index + 2} />
          ))}
        </div>
      </section>
    </section>
  );
}

interface HeadProps {
  column: OperatorColumn;
  sorted: boolean;
  descending: boolean;
}

/** Numbers are sorted down at first, words up. */
function Head({ column, sorted, descending }: HeadProps) {
  const say = useWords();
  const down = sorted ? !descending : !WORDY.includes(column);
  return (
    <div
      role="columnheader"
      className={style.cell}
      data-column={column}
      aria-sort={sorted ? (descending ? "descending" : "ascending") : "none"}
    >
      <button
        type="button"
        className={style.sort}
        data-sorted={sorted || undefined}
        onClick={() => showProfile({ sort: column, descending: down })}
      >
        {say(`profile.column.${column}`)}
        {sorted && <Icon name={descending ? "down" : "up"} size={12} />}
      </button>
    </div>
  );
}

function Row({ row, top, place }: { row: ProfileOperator; top: number; place: number }) {
  const say = useWords();
  const scheme = useColorScheme();
  const cells: Record<OperatorColumn, string> = {
    name: row.name,
    category: say(`profile.category.${row.category}`),
    scope: row.scope,
    count: count(row.count),
    total_us: formatMicroseconds(row.total_us),
    self_us: formatMicroseconds(row.self_us),
    mean_us: formatMicroseconds(row.mean_us),
  };
  return (
    <div role="row" className={style.row} style={{ top }} aria-rowindex={place} data-testid="operator">
      {OPERATOR_COLUMNS.map((column) => (
        <div
          key={column}
          role="cell"
          className={style.cell}
          data-column={column}
          title={column === "name" || column === "scope" ? cells[column] : undefined}
        >
          {column === "category" && (
            <span className={style.swatch} style={{ background: categoryColor(row.category, scheme) }} />
          )}
          <bdi className={style.text}>{cells[column]}</bdi>
        </div>
      ))}
    </div>
  );
}

/** What is typed is looked for once it has not changed for a moment. */
function Search({ text, fault }: { text: string; fault: string | null }) {
  const say = useWords();
  const [typed, type] = useState(text);
  useEffect(() => type(text), [text]);
  useEffect(() => {
    if (typed === text) return undefined;
    const timer = setTimeout(() => showProfile({ search: typed }, change), typed === "" ? 0 : TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <Field
      label={say("profile.search")}
      placeholder={say("profile.searchHint")}
      clearLabel={say("action.clear")}
      value={typed}
      onChange={type}
      fault={fault}
      className={style.search}
    />
  );
}
