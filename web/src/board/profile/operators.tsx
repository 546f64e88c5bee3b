/** The operators of a capture: as a virtual table, sorted by any column and searched by words, or as a tree of calls. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { useView } from "../view/view";
import { CallTree } from "./call-tree";
import { ColumnTable } from "./column-table";
import { FormSwitch, Search } from "./operator-tools";
import style from "./operators.module.css";
import {
  type CaptureName,
  MAX_OPERATORS,
  OPERATOR_COLUMNS,
  type OperatorColumn,
  showProfile,
  showSlicesOf,
  useOperators,
} from "./profiles";

const WORDY: readonly OperatorColumn[] = ["name", "category", "scope"];

export function Operators({ name }: { name: CaptureName }) {
  const form = useView((view) => view.profile.form);
  return form === "table" ? (
    <OperatorTable name={name} />
  ) : (
    <CallTree key={form} name={name} direction={form} />
  );
}

function OperatorTable({ name }: { name: CaptureName }) {
  const say = useWords();
  const { search, sort, descending } = useView((view) => view.profile);
  const { data, error } = useOperators(name, { search, sort, descending, limit: MAX_OPERATORS }, true);
  const rows = data?.operators ?? [];
  return (
    <section className={style.page} aria-label={say("profile.view.operators")}>
      <div className={style.tools}>
        <FormSwitch />
        <Search text={search} fault={error?.message ?? null} />
        <p className={style.note} role="status">
          {data && rows.length < data.total
            ? say("profile.foundSome", { count: data.total, shown: count(rows.length) })
            : say("profile.found", { count: data?.total ?? 0 })}
        </p>
      </div>
      <ColumnTable
        label={say("profile.view.operators")}
        testId="operators"
        rowTestId="operator"
        columns={OPERATOR_COLUMNS}
        wordy={WORDY}
        heads={headsOf(OPERATOR_COLUMNS, (column) => say(`profile.column.${column}`))}
        rows={rows}
        open={(row) => void showSlicesOf(name, row.name)}
        sort={sort}
        descending={descending}
        onSort={(column, down) => showProfile({ sort: column, descending: down })}
        cells={(row) => ({
          name: row.name,
          category: say(`profile.category.${row.category}`),
          scope: row.scope,
          count: count(row.count),
          total_us: formatMicroseconds(row.total_us),
          self_us: formatMicroseconds(row.self_us),
          mean_us: formatMicroseconds(row.mean_us),
        })}
      />
    </section>
  );
}

export function headsOf<Column extends string>(
  columns: readonly Column[],
  say: (column: Column) => string,
): Record<Column, string> {
  return Object.fromEntries(columns.map((column) => [column, say(column)])) as Record<Column, string>;
}
