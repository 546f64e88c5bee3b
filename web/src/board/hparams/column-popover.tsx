/** Selects the parameters, metrics and run details that are columns and axes. */

import { useMemo, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Check } from "../../ui/check";
import { Field } from "../../ui/field";
import { Popover } from "../../ui/popover";
import { useView } from "../view/view";
import { headText, oneLine } from "./cell-text";
import style from "./popovers.module.css";
import { configOf, infoOf, metricOf, TRIAL_INFOS, type TrialColumn } from "./trial-column";
import { showTrials, type TrialTable } from "./trials";

/** Maximum number of entries; the text box finds the others. */
const MOST = 100;

export function ColumnPopover({ table }: { table: TrialTable }) {
  const say = useWords();
  return (
    <Popover
      label={say("table.chooseColumns")}
      trigger={<Button icon="columns">{say("table.columns")}</Button>}
    >
      <Choices table={table} />
    </Popover>
  );
}

interface Choice {
  column: TrialColumn;
  name: string;
  trials: number | null;
}

function Choices({ table: { columns, study } }: { table: TrialTable }) {
  const say = useWords();
  const [text, setText] = useState("");
  const chosen = useView((view) => view.hparams.columns.length > 0);
  const shown = new Map(columns.map((column) => [base(column), column.id]));
  const families = useMemo(() => {
    const needle = text.trim().toLowerCase();
    const named = (column: TrialColumn, trials: number | null = null): Choice => ({
      column,
      name: oneLine(headText(column, study)),
      trials,
    });
    const has = ({ name, column }: Choice) => `${name} ${column.id}`.toLowerCase().includes(needle);
    return [
      { name: say("table.config"), all: study.parameters.map(({ name }) => named(configOf(name))) },
      {
        name: say("table.metrics"),
        all: study.metrics.map(({ group, tag, trials }) => named(metricOf(group, tag, "last"), trials)),
      },
      { name: say("table.about"), all: TRIAL_INFOS.map((what) => named(infoOf(what))) },
    ].map(({ name, all }) => ({ name, found: all.filter(has) }));
  }, [text, study, say]);
  const flip = (column: TrialColumn) => {
    const ids = columns.map(({ id }) => id);
    const there = shown.get(base(column));
    const next = there === undefined ? [...ids, column.id] : ids.filter((id) => id !== there);
    if (next.length > 0) showTrials({ columns: next });
  };
  return (
    <div className={style.columns}>
      <Field
        label={say("table.findColumn")}
        clearLabel={say("action.clear")}
        value={text}
        onChange={setText}
      />
      <div className={style.found}>
        {families.map(
          ({ name, found }) =>
            found.length > 0 && (
              <fieldset key={name} className={style.plain}>
                <legend className={style.family}>{name}</legend>
                {found.slice(0, MOST).map((choice) => (
                  <label key={choice.column.id} className={style.check}>
                    <Check checked={shown.has(base(choice.column))} onChange={() => flip(choice.column)} />
                    <bdi className={style.word} title={choice.name}>
                      {choice.name}
                    </bdi>
                    {choice.trials !== null && <span className={style.count}>{count(choice.trials)}</span>}
                  </label>
                ))}
                {found.length > MOST && (
                  <div className={style.family}>{say("group.more", { count: found.length - MOST })}</div>
                )}
              </fieldset>
            ),
        )}
        {families.every(({ found }) => found.length === 0) && (
          <div className={style.family}>{say("table.noColumn")}</div>
        )}
      </div>
      {chosen && (
        <div className={style.foot}>
          <Button size="small" variant="quiet" onClick={() => showTrials({ columns: [] })}>
            {say("table.usual")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** A metric is one choice, whichever statistic it shows. */
function base(column: TrialColumn): string {
  return column.kind === "metric" ? metricOf(column.group, column.tag, "last").id : column.id;
}
