/** Chooses columns: details of runs, hyperparameters, statistics of metrics, with a search. */

import { useMemo, useState } from "react";
import { useWords } from "../../i18n/words";
import { naturalOrder } from "../../lib/natural-order";
import { Button } from "../../ui/button";
import { Check } from "../../ui/check";
import { Field } from "../../ui/field";
import { useTags } from "../data/lists";
import { type Column, configColumn, INFOS, infoColumn, metricColumn, STATS } from "../runs/column";
import { useQueryNames } from "../runs/filtered-runs";
import { type TablePlacement, toggleColumn, useTableColumns } from "../runs/table-columns";
import { commit, useView } from "../view/view";
import { headText, statWord } from "./cell-text";
import style from "./popovers.module.css";

/** Maximum number of entries; the text box finds the others. */
const MOST = 60;

export default function ColumnPopover({ room }: { room: TablePlacement }) {
  const say = useWords();
  const [text, setText] = useState("");
  const shown = useTableColumns(room);
  const chosen = useView((view) => view.table.length > 0);
  const found = useFound(text);
  const on = useMemo(() => new Set(shown.map(({ id }) => id)), [shown]);
  const flip = (id: string) => toggleColumn(shown, id);
  const nothing = found.infos.length + found.config.length + found.tags.length === 0;
  return (
    <div className={style.columns}>
      <Field
        label={say("table.findColumn")}
        clearLabel={say("action.clear")}
        value={text}
        onChange={setText}
      />
      <div className={style.found}>
        <Family name={say("table.about")} columns={found.infos} on={on} onFlip={flip} />
        <Family name={say("table.config")} columns={found.config} on={on} onFlip={flip} />
        {found.tags.length > 0 && <div className={style.family}>{say("table.metrics")}</div>}
        {found.tags.map((tag) => (
          <Metric key={tag} tag={tag} on={on} onFlip={flip} />
        ))}
        {found.more > 0 && <div className={style.family}>{say("group.more", { count: found.more })}</div>}
        {nothing && <div className={style.family}>{say("table.noColumn")}</div>}
      </div>
      {chosen && (
        <div className={style.foot}>
          <Button size="small" variant="quiet" onClick={() => commit({ table: [] })}>
            {say("table.usual")}
          </Button>
        </div>
      )}
    </div>
  );
}

interface Found {
  infos: readonly Column[];
  config: readonly Column[];
  tags: readonly string[];
  more: number;
}

function useFound(text: string): Found {
  const { config } = useQueryNames();
  const tags = useTags();
  const say = useWords();
  // biome-ignore lint/correctness/useExhaustiveDependencies: names are looked for in the language of the page
  return useMemo(() => {
    const needle = text.trim().toLowerCase();
    const has = (name: string) => name.toLowerCase().includes(needle);
    const keys = [...config].filter(has).toSorted(naturalOrder);
    const names = tags.flatMap(({ tag }) => (has(tag) ? [tag] : []));
    return {
      infos: INFOS.map(infoColumn).filter((column) => has(headText(column).name)),
      config: keys.slice(0, MOST).map(configColumn),
      tags: names.slice(0, MOST),
      more: Math.max(0, keys.length - MOST) + Math.max(0, names.length - MOST),
    };
  }, [text, config, tags, say]);
}

interface FamilyProps {
  name: string;
  columns: readonly Column[];
  on: ReadonlySet<string>;
  onFlip(id: string): void;
}

function Family({ name, columns, on, onFlip }: FamilyProps) {
  if (columns.length === 0) return null;
  return (
    <>
      <div className={style.family}>{name}</div>
      {columns.map((column) => (
        <div key={column.id} className={style.choice}>
          <label>
            <Check checked={on.has(column.id)} onChange={() => onFlip(column.id)} />
            <bdi>{headText(column).name}</bdi>
          </label>
        </div>
      ))}
    </>
  );
}

/** A metric offers a column for each statistic. */
function Metric({ tag, on, onFlip }: { tag: string; on: ReadonlySet<string>; onFlip(id: string): void }) {
  const columns = STATS.map((stat) => metricColumn(tag, stat));
  const some = columns.some(({ id }) => on.has(id));
  return (
    <div className={style.choice}>
      <label>
        <Check
          checked={some}
          onChange={() => onFlip((columns.find(({ id }) => on.has(id)) ?? columns[0]!).id)}
        />
        <bdi title={tag}>{tag}</bdi>
      </label>
      <span className={style.stats}>
        {columns.map(({ id, stat }) => (
          <button
            key={id}
            type="button"
            className={style.stat}
            aria-pressed={on.has(id)}
            aria-label={`${tag} ${statWord(stat)}`}
            onClick={() => onFlip(id)}
          >
            {statWord(stat)}
          </button>
        ))}
      </span>
    </div>
  );
}
