/** The heads of the table of trials: order, filter, place. */

// biome-ignore-all lint/a11y/useSemanticElements: heads of rows that are no table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the heads has the focus

import type { KeyboardEvent } from "react";
import type { TrialColumn } from "../../state/trialcolumn";
import { showTrials, type TrialTable } from "../../state/trials";
import { useView } from "../../state/view";
import { Check } from "../../widgets/check";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import { headText, oneLine } from "./cell-text";
import { FilterButton } from "./filter-button";
import { moveHead, useHeadDrag } from "./head-drag";
import type { Laid } from "./trial-table";
import style from "./trial-table.module.css";

interface HeadsProps {
  laid: readonly Laid[];
  columns: readonly TrialColumn[];
  table: TrialTable;
  checked: boolean | "mixed";
  onAll(): void;
}

export function Heads({ laid, columns, table, checked, onAll }: HeadsProps) {
  const say = useWords();
  return (
    <div role="row" className={style.heads} aria-rowindex={1}>
      <div role="columnheader" className={style.lead} aria-label={say("trials.trial")}>
        <label className={style.box}>
          <Check checked={checked} aria-label={say("trials.showAll")} onChange={onAll} />
        </label>
        <span className={style.trial} aria-live="polite" data-testid="trials-shown">
          {say("trials.shown", {
            on: count(table.kept.length),
            of: count(table.rows.length),
            count: table.rows.length,
          })}
        </span>
      </div>
      {laid.map((each) => (
        <Head key={each.column.id} laid={each} columns={columns} table={table} />
      ))}
    </div>
  );
}

interface HeadProps {
  laid: Laid;
  columns: readonly TrialColumn[];
  table: TrialTable;
}

function Head({ laid: { column, px, words }, columns, table }: HeadProps) {
  const sort = useView((view) => view.hparams.sort);
  const down = sort?.column === column.id ? sort.down : null;
  const text = headText(column, table.study);
  const drag = useHeadDrag(column, columns);
  const keys = (event: KeyboardEvent) => {
    const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
    if (step === 0 || !event.altKey) return;
    event.preventDefault();
    moveHead(column.id, step, columns);
  };
  return (
    <div
      role="columnheader"
      className={words ? `${style.head} ${style.wordy}` : style.head}
      style={{ width: px }}
      aria-sort={down === null ? undefined : down ? "descending" : "ascending"}
      data-testid="trial-head"
      data-column={column.id}
      onKeyDown={keys}
      {...drag}
    >
      <button
        type="button"
        className={style.sort}
        data-sorted={down !== null || undefined}
        title={text.full}
        onClick={() => sortBy(column.id, down)}
      >
        <span className={style.text}>
          <bdi>{text.name}</bdi>
          {text.more !== "" && <span className={style.more}> {text.more}</span>}
        </span>
        {down !== null && <span aria-hidden="true">{down ? "↓" : "↑"}</span>}
      </button>
      <FilterButton
        column={column}
        columns={columns}
        title={oneLine(text)}
        cells={table.cells.get(column.id) ?? []}
      />
    </div>
  );
}

/** Up, down, as they come. */
function sortBy(column: string, down: boolean | null): void {
  showTrials({ sort: down === null ? { column, down: false } : down ? null : { column, down: true } });
}
