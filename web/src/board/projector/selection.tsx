/** The selected points: counts per label, as a table; to be isolated, grouped, exported. */

import { useMemo } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import type { ColumnValues, Legend } from "./coloring";
import { clearSelection, updateExploration, useExploration } from "./exploration";
import { ShapeMark } from "./legend";
import { countsOf, type Rows } from "./rows";
import style from "./side.module.css";

interface SelectionProps {
  /** Selected rows and the neighbours of the focused point. */
  rows: Rows;
  color: { column: string; values: ColumnValues; legend: Legend | null } | null;
  nameOf(row: number): string | null;
  onGroup(name: string): void;
  onExport(): void;
}

const MAX_LABELS = 50;
const MAX_MEMBERS = 30;

export function Selection({ rows, color, nameOf, onGroup, onExport: onTake }: SelectionProps) {
  const say = useWords();
  const isolated = useExploration((exploring) => exploring.isolated);
  const alone = useExploration((exploring) => exploring.alone);
  const groups = useExploration((exploring) => exploring.groups);
  if (rows.length === 0 && isolated === null) {
    return (
      <section className={style.part} aria-label={say("projector.selection")}>
        <p className={style.note}>{say("projector.howTo")}</p>
      </section>
    );
  }
  return (
    <section
      className={style.part}
      aria-label={say("projector.selection")}
      data-testid="selection"
      data-count={rows.length}
    >
      <div className={style.head}>
        <h3 className={style.title}>{say("projector.selected", { count: rows.length })}</h3>
      </div>
      <div className={style.actions}>
        {rows.length > 0 && (
          <>
            <Button size="small" onClick={() => updateExploration({ isolated: rows })}>
              {say("projector.isolate")}
            </Button>
            <Button size="small" onClick={clearSelection}>
              {say("action.clear")}
            </Button>
            <Button
              size="small"
              onClick={() => onGroup(say("projector.group", { number: groups.length + 1 }))}
            >
              {say("projector.colorSelection")}
            </Button>
            <Button size="small" icon="download" onClick={onTake}>
              CSV
            </Button>
          </>
        )}
        {isolated !== null && (
          <>
            <Button size="small" onClick={() => updateExploration({ isolated: null, alone: false })}>
              {say("projector.showAll")}
            </Button>
            <Button size="small" aria-pressed={alone} onClick={() => updateExploration({ alone: !alone })}>
              {say("projector.alone")}
            </Button>
          </>
        )}
      </div>
      {color?.values.kind === "category" && rows.length > 0 && (
        <Labels rows={rows} values={color.values} column={color.column} legend={color.legend} />
      )}
      {rows.length > 0 && <Members rows={rows} nameOf={nameOf} />}
    </section>
  );
}

interface LabelsProps {
  rows: Rows;
  values: ColumnValues & { kind: "category" };
  column: string;
  legend: Legend | null;
}

function Labels({ rows, values, column, legend }: LabelsProps) {
  const say = useWords();
  const counts = useMemo(() => countsOf(rows, values.codes, values.labels), [rows, values]);
  const items = legend?.kind === "categories" ? legend.items : [];
  const lineStyles = new Map(items.map((item) => [item.code, item]));
  const most = counts[0]?.count ?? 1;
  return (
    <div className={style.scroll}>
      <table className={style.table}>
        <thead>
          <tr>
            <th scope="col">
              <bdi>{column}</bdi>
            </th>
            <th scope="col" className={style.number}>
              {say("projector.count")}
            </th>
            <td className={style.share} />
          </tr>
        </thead>
        <tbody>
          {counts.slice(0, MAX_LABELS).map(({ code, label, count: held }) => {
            const lineStyle = lineStyles.get(code);
            return (
              <tr key={code} data-testid="label-count" data-label={label} data-count={held}>
                <td>
                  <span className={style.cell}>
                    {lineStyle && <ShapeMark color={lineStyle.color} shape={lineStyle.shape} />}
                    <bdi className={style.label} title={label}>
                      {label === "" ? say("projector.noLabel") : label}
                    </bdi>
                  </span>
                </td>
                <td className={style.number}>{count(held)}</td>
                <td className={style.share}>
                  <div
                    className={style.bar}
                    style={{
                      width: `${(100 * held) / most}%`,
                      ...(lineStyle && { background: lineStyle.color }),
                    }}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {counts.length > MAX_LABELS && (
        <p className={style.note}>{say("projector.more", { count: counts.length - MAX_LABELS })}</p>
      )}
    </div>
  );
}

/** The first selected points, each of which can be focused. */
function Members({ rows, nameOf }: { rows: Rows; nameOf(row: number): string | null }) {
  const say = useWords();
  return (
    <details>
      <summary className={style.note}>{say("projector.members")}</summary>
      <ul className={style.list}>
        {[...rows.subarray(0, MAX_MEMBERS)].map((row) => (
          <li key={row}>
            <button type="button" className={style.item} onClick={() => updateExploration({ focus: row })}>
              <bdi className={style.label}>{nameOf(row) ?? "…"}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > MAX_MEMBERS && (
        <p className={style.note}>{say("projector.more", { count: rows.length - MAX_MEMBERS })}</p>
      )}
    </details>
  );
}
