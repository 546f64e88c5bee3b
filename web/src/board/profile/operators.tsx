/** The operators of a capture: as a virtual table by scopes or by shapes of inputs, sorted and searched, or as a tree of calls. */

import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatMicroseconds } from "../../lib/microseconds";
import { useView } from "../view/view";
import { AdviceList } from "./advice-list";
import { CallTree } from "./call-tree";
import { ColumnTable } from "./column-table";
import { FormSwitch, Search } from "./operator-tools";
import style from "./operators.module.css";
import {
  type CaptureName,
  MAX_OPERATORS,
  OPERATOR_COLUMNS,
  type OperatorColumn,
  type ProfileOperator,
  SHAPE_COLUMNS,
  showProfile,
  showSlice,
  showSlicesOf,
  useOperators,
} from "./profiles";

const WORDY: readonly OperatorColumn[] = ["name", "category", "scope", "shapes"];

export function Operators({ name }: { name: CaptureName }) {
  const form = useView((view) => view.profile.form);
  return form === "table" || form === "shapes" ? (
    <OperatorTable key={form} name={name} byShape={form === "shapes"} />
  ) : (
    <CallTree key={form} name={name} direction={form} />
  );
}

function OperatorTable({ name, byShape }: { name: CaptureName; byShape: boolean }) {
  const say = useWords();
  const { search, sort: wanted, descending } = useView((view) => view.profile);
  const columns: readonly OperatorColumn[] = byShape ? SHAPE_COLUMNS : OPERATOR_COLUMNS;
  const sort = columns.includes(wanted) ? wanted : byShape ? "shapes" : "scope";
  const order = { search, sort, descending, limit: MAX_OPERATORS };
  const { data, error } = useOperators(name, byShape ? { ...order, by: "shape" } : order, true);
  const rows = data?.operators ?? [];
  return (
    <section className={style.page} aria-label={say("profile.view.operators")}>
      <div className={style.tools}>
        <FormSwitch />
        <Search
          text={search}
          fault={error?.message ?? null}
          hint={byShape ? say("profile.searchHint.shapes") : say("profile.searchHint")}
        />
        <p className={style.note} role="status">
          {!data
            ? error === null && say("profile.reading")
            : rows.length < data.total
              ? say("profile.foundSome", { count: data.total, shown: count(rows.length) })
              : say("profile.found", { count: data.total })}
        </p>
      </div>
      {data?.has_shapes === false && (
        <div className={style.missing}>
          {data.advice.length > 0 ? (
            <AdviceList rows={data.advice} />
          ) : (
            <p className={style.note}>{say("profile.noShapes")}</p>
          )}
        </div>
      )}
      <ColumnTable
        label={say("profile.view.operators")}
        testId="operators"
        rowTestId="operator"
        columns={columns}
        wordy={WORDY}
        heads={headsOf<OperatorColumn>([...OPERATOR_COLUMNS, "shapes"], (column) =>
          say(`profile.column.${column}`),
        )}
        rows={rows}
        open={(row) => openSlices(name, row)}
        sort={sort}
        descending={descending}
        onSort={(column, down) => showProfile({ sort: column, descending: down })}
        cells={(row) => ({
          name: row.name,
          category: say(`profile.category.${row.category}`),
          scope: row.scope,
          shapes: (row.shapes ?? []).map((shape) => shape || "–").join(", "),
          count: count(row.count),
          total_us: formatMicroseconds(row.total_us),
          self_us: formatMicroseconds(row.self_us),
          mean_us: formatMicroseconds(row.mean_us),
          p95_us: formatMicroseconds(row.p95_us),
        })}
      />
    </section>
  );
}

/** The longest slice of a row where it is known, otherwise the first one of its name. */
function openSlices(capture: CaptureName, { name, longest }: ProfileOperator): void {
  if (longest)
    showSlice({ host: longest.host, slice: longest.slice }, longest.start_us, longest.duration_us, name);
  else void showSlicesOf(capture, name);
}

export function headsOf<Column extends string>(
  columns: readonly Column[],
  say: (column: Column) => string,
): Record<Column, string> {
  return Object.fromEntries(columns.map((column) => [column, say(column)])) as Record<Column, string>;
}
