/** The operators of a capture: as a virtual table, sorted by any column and searched by words, or as a tree of calls. */

import { useEffect, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { Field } from "../../ui/field";
import { Segmented } from "../../ui/segmented";
import { OPERATOR_FORMS, type OperatorForm } from "../view/profile-view";
import { change, useView } from "../view/view";
import { CallTree } from "./call-tree";
import { ColumnTable } from "./column-table";
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

const TYPING_MS = 200;
const WORDY: readonly OperatorColumn[] = ["name", "category", "scope"];

export function Operators({ name }: { name: CaptureName }) {
  const form = useView((view) => view.profile.form);
  return form === "table" ? (
    <OperatorTable name={name} />
  ) : (
    <CallTree key={form} name={name} direction={form} />
  );
}

/** The table of operators, or a tree of calls. */
export function FormSwitch() {
  const say = useWords();
  const form = useView((view) => view.profile.form);
  return (
    <Segmented<OperatorForm>
      label={say("profile.form")}
      value={form}
      options={OPERATOR_FORMS.map((value) => ({ value, label: say(`profile.form.${value}`) }))}
      onChange={(value) => showProfile({ form: value })}
    />
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

/** What is typed is looked for once it has not changed for a moment. */
export function Search({ text, fault, hint }: { text: string; fault: string | null; hint?: string }) {
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
      placeholder={hint ?? say("profile.searchHint")}
      clearLabel={say("action.clear")}
      value={typed}
      onChange={type}
      fault={fault}
      className={style.search}
    />
  );
}
