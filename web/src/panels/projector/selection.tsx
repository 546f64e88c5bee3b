/** What is selected: how many of each label, as a table; to be shown alone, grouped, taken away. */

import { useMemo } from "react";
import { Button } from "../../widgets/button";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import type { ColumnValues, Legend } from "./coloring";
import { explore, letGo, useExploring } from "./exploring";
import { countsOf, type Rows } from "./rows";
import { ShapeMark } from "./shape-mark";
import style from "./side.module.css";

interface SelectionProps {
  /** Selected rows and those beside the point that is looked at. */
  rows: Rows;
  color: { column: string; values: ColumnValues; legend: Legend | null } | null;
  nameOf(row: number): string | null;
  onGroup(name: string): void;
  onTake(): void;
}

const MOST_LABELS = 50;
const MOST_MEMBERS = 30;

export function Selection({ rows, color, nameOf, onGroup, onTake }: SelectionProps) {
  const say = useWords();
  const isolated = useExploring((exploring) => exploring.isolated);
  const alone = useExploring((exploring) => exploring.alone);
  const groups = useExploring((exploring) => exploring.groups);
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
            <Button size="small" onClick={() => explore({ isolated: rows })}>
              {say("projector.isolate")}
            </Button>
            <Button size="small" onClick={letGo}>
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
            <Button size="small" onClick={() => explore({ isolated: null, alone: false })}>
              {say("projector.showAll")}
            </Button>
            <Button size="small" aria-pressed={alone} onClick={() => explore({ alone: !alone })}>
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
  const looks = new Map(items.map((item) => [item.code, item]));
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
          {counts.slice(0, MOST_LABELS).map(({ code, label, count: held }) => {
            const look = looks.get(code);
            return (
              <tr key={code} data-testid="label-count" data-label={label} data-count={held}>
                <td>
                  <span className={style.cell}>
                    {look && <ShapeMark color={look.color} shape={look.shape} />}
                    <bdi className={style.label} title={label}>
                      {label === "" ? say("projector.noLabel") : label}
                    </bdi>
                  </span>
                </td>
                <td className={style.number}>{count(held)}</td>
                <td className={style.share}>
                  <div
                    className={style.bar}
                    style={{ width: `${(100 * held) / most}%`, ...(look && { background: look.color }) }}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {counts.length > MOST_LABELS && (
        <p className={style.note}>{say("projector.more", { count: counts.length - MOST_LABELS })}</p>
      )}
    </div>
  );
}

/** The first of the selected points, each to be looked at. */
function Members({ rows, nameOf }: { rows: Rows; nameOf(row: number): string | null }) {
  const say = useWords();
  return (
    <details>
      <summary className={style.note}>{say("projector.members")}</summary>
      <ul className={style.list}>
        {[...rows.subarray(0, MOST_MEMBERS)].map((row) => (
          <li key={row}>
            <button type="button" className={style.item} onClick={() => explore({ focus: row })}>
              <bdi className={style.label}>{nameOf(row) ?? "…"}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {rows.length > MOST_MEMBERS && (
        <p className={style.note}>{say("projector.more", { count: rows.length - MOST_MEMBERS })}</p>
      )}
    </details>
  );
}
