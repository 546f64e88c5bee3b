/** The headers of the trial table: sorting, filtering, moving. */

// biome-ignore-all lint/a11y/useSemanticElements: heads of rows that are no table element
// biome-ignore-all lint/a11y/useFocusableInteractive: what is in the heads has the focus

import type { KeyboardEvent } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Check } from "../../ui/check";
import { useView } from "../view/view";
import { headText, oneLine } from "./cell-text";
import { FilterButton } from "./filter-button";
import { moveHead, useHeadDrag } from "./head-drag";
import type { TrialColumn } from "./trial-column";
import style from "./trial-table.module.css";
import { showTrials, type TrialTable } from "./trials";

export interface ColumnLayout {
  column: TrialColumn;
  px: number;
  /** Text is aligned to the left. */
  words: boolean;
}

interface HeadsProps {
  layout: readonly ColumnLayout[];
  columns: readonly TrialColumn[];
  table: TrialTable;
  checked: boolean | "mixed";
  onAll(): void;
}

export function Heads({ layout, columns, table, checked, onAll }: HeadsProps) {
  const say = useWords();
  return (
    <div role="row" className={style.heads} aria-rowindex={1}>
      <div role="columnheader" className={style.lead} aria-label={say("trials.trial")}>
        <label className={style.box}>
          <Check checked={checked} aria-label={say("trials.showAll")} onChange={onAll} />
        </label>
        <span className={style.trial} aria-live="polite" data-testid="trials-shown">
          {say("trials.shown", {
            on: count(table.filteredRows.length),
            of: count(table.rows.length),
            count: table.rows.length,
          })}
        </span>
      </div>
      {layout.map((each) => (
        <Head key={each.column.id} layout={each} columns={columns} table={table} />
      ))}
    </div>
  );
}

interface HeadProps {
  layout: ColumnLayout;
  columns: readonly TrialColumn[];
  table: TrialTable;
}

function Head({ layout: { column, px, words }, columns, table }: HeadProps) {
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

/** Sorts up, down, or not at all (null). */
function sortBy(column: string, down: boolean | null): void {
  showTrials({ sort: down === null ? { column, down: false } : down ? null : { column, down: true } });
}
