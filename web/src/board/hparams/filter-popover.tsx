/** The filter of one column: a range for numbers, a searchable list or a pattern for text, and missing values. */

import { useMemo, useRef, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { naturalOrder } from "../../lib/natural-order";
import { formatChosen } from "../../lib/number";
import { AnchoredPopover } from "../../ui/anchored-popover";
import { Button } from "../../ui/button";
import { Check } from "../../ui/check";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import type { Cell, Stat } from "../runs/column";
import { STATS } from "../runs/column";
import { type Filter, isOpen, patternOf } from "../view/trial-filter";
import { useView } from "../view/view";
import { cellText, statWord } from "./cell-text";
import style from "./popovers.module.css";
import { metricOf, type TrialColumn } from "./trial-column";
import { showTrials } from "./trials";

/** Maximum number of words in the list; the text box finds the others. */
const MAX_WORDS = 200;

interface FilterPopoverProps {
  column: TrialColumn;
  columns: readonly TrialColumn[];
  title: string;
  /** The cells of all rows. */
  cells: readonly Cell[];
  anchor: HTMLElement;
  onClose(): void;
}

export function setFilter(id: string, filter: Filter | null): void {
  const { [id]: _, ...others } = useView.getState().hparams.filters;
  showTrials({ filters: filter === null || isOpen(filter) ? others : { ...others, [id]: filter } });
}

export function FilterPopover({ column, columns, title, cells, anchor, onClose }: FilterPopoverProps) {
  const say = useWords();
  const filter = useView((view) => view.hparams.filters[column.id]);
  const words = useMemo(() => wordsOf(cells), [cells]);
  const missing = useMemo(
    () => cells.reduce<number>((sum, cell) => sum + Number(isMissing(cell)), 0),
    [cells],
  );
  const anchorRef = useRef(anchor);
  const update = (next: Filter) => setFilter(column.id, next);
  const open: Filter = words
    ? { kind: "pattern", text: "", missing: true }
    : { kind: "range", low: null, high: null, missing: true };
  const now = filter ?? open;
  return (
    <AnchoredPopover
      label={say("trials.filterOf", { column: title })}
      anchor={anchorRef}
      onClose={onClose}
      align="start"
    >
      <div className={style.filter}>
        <div className={style.title} title={title}>
          <bdi>{title}</bdi>
        </div>
        {column.kind === "metric" && <Statistic column={column} columns={columns} />}
        {words ? (
          <Words column={column} words={words} filter={now} onChange={update} />
        ) : (
          <Range cells={cells} filter={now} onChange={update} />
        )}
        <label className={style.check}>
          <Check
            checked={now.missing}
            disabled={missing === 0}
            onChange={(event) => update({ ...now, missing: event.target.checked })}
          />
          {say("trials.missing", { count: missing })}
        </label>
        <div className={style.foot}>
          <Button size="small" variant="quiet" onClick={() => remove(column, columns, onClose)}>
            {say("table.removeColumn")}
          </Button>
          <Button size="small" disabled={!filter} onClick={() => setFilter(column.id, null)}>
            {say("trials.clearFilter")}
          </Button>
        </div>
      </div>
    </AnchoredPopover>
  );
}

/** The last column stays: without columns the defaults would be shown. */
function remove(column: TrialColumn, columns: readonly TrialColumn[], onClose: () => void): void {
  const ids = columns.map(({ id }) => id).filter((id) => id !== column.id);
  const { [column.id]: _, ...filters } = useView.getState().hparams.filters;
  if (ids.length > 0) showTrials({ columns: ids, filters });
  onClose();
}

/** Chooses the statistic of the metric; its filter is dropped. */
function Statistic({
  column,
  columns,
}: {
  column: Extract<TrialColumn, { kind: "metric" }>;
  columns: readonly TrialColumn[];
}) {
  const say = useWords();
  const change = (stat: Stat) => {
    const next = metricOf(column.group, column.tag, stat).id;
    const { [column.id]: _, ...filters } = useView.getState().hparams.filters;
    showTrials({ columns: columns.map(({ id }) => (id === column.id ? next : id)), filters });
  };
  return (
    <Select
      label={say("trials.statistic")}
      value={column.stat}
      options={STATS.map((stat) => ({ value: stat, label: statWord(stat) }))}
      onChange={(stat) => change(stat as Stat)}
    />
  );
}

interface PartProps {
  filter: Filter;
  onChange(filter: Filter): void;
}

function Range({ cells, filter, onChange }: PartProps & { cells: readonly Cell[] }) {
  const say = useWords();
  const [least, most] = useMemo(() => ends(cells), [cells]);
  const range = filter.kind === "range" ? filter : { low: null, high: null, missing: filter.missing };
  const update = (patch: { low?: number | null; high?: number | null }) =>
    onChange({ kind: "range", low: range.low, high: range.high, missing: false, ...patch });
  return (
    <div className={style.range}>
      <Limit label={say("trials.from")} value={range.low} hint={least} onChange={(low) => update({ low })} />
      <span aria-hidden="true">–</span>
      <Limit label={say("trials.to")} value={range.high} hint={most} onChange={(high) => update({ high })} />
    </div>
  );
}

interface LimitProps {
  label: string;
  value: number | null;
  hint: number | null;
  onChange(value: number | null): void;
}

function Limit({ label, value, hint, onChange }: LimitProps) {
  const [text, setText] = useState(value === null ? "" : String(value));
  const read = text.trim() === "" ? null : Number(text.replace(",", ".").replace("\u2212", "-"));
  const bad = read !== null && !Number.isFinite(read);
  return (
    <input
      type="text"
      inputMode="decimal"
      className={style.limit}
      aria-label={label}
      aria-invalid={bad || undefined}
      placeholder={hint === null ? "" : formatChosen(hint)}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => !bad && read !== value && onChange(read)}
      onKeyDown={(event) => event.key === "Enter" && !bad && onChange(read)}
    />
  );
}

function Words({
  column,
  words,
  filter,
  onChange,
}: PartProps & { column: TrialColumn; words: readonly (readonly [string, number])[] }) {
  const say = useWords();
  const [text, setText] = useState(filter.kind === "pattern" ? filter.text : "");
  const pattern = patternOf(text);
  const found = useMemo(() => {
    const match = patternOf(text);
    return match ? words.filter(([word]) => match.test(word)) : words;
  }, [words, text]);
  const chosen = filter.kind === "words" ? new Set(filter.words) : null;
  const flip = (word: string) => {
    const next = new Set(chosen ?? found.map(([each]) => each));
    if (!next.delete(word)) next.add(word);
    const all = next.size === words.length;
    onChange(
      all
        ? { kind: "pattern", text: "", missing: true }
        : {
            kind: "words",
            words: [...next].toSorted(naturalOrder),
            missing: filter.missing && !chosen ? false : filter.missing,
          },
    );
  };
  return (
    <>
      <Field
        label={say("trials.search")}
        clearLabel={say("action.clear")}
        value={text}
        fault={pattern ? null : say("trials.badPattern")}
        onChange={(next) => {
          setText(next);
          if (patternOf(next)) onChange({ kind: "pattern", text: next, missing: next === "" });
        }}
      />
      <fieldset className={style.words} aria-label={say("trials.values")}>
        {found.slice(0, MAX_WORDS).map(([word, rows]) => (
          <label key={word} className={style.check}>
            <Check
              checked={chosen ? chosen.has(word) : (pattern?.test(word) ?? true)}
              onChange={() => flip(word)}
            />
            <bdi className={style.word}>{cellText(column, word)}</bdi>
            <span className={style.count}>{count(rows)}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}

/** Words with the number of rows; null if there are only numbers. */
function wordsOf(cells: readonly Cell[]): readonly (readonly [string, number])[] | null {
  const found = new Map<string, number>();
  let words = false;
  for (const cell of cells) {
    if (isMissing(cell)) continue;
    words ||= typeof cell === "string";
    found.set(String(cell), (found.get(String(cell)) ?? 0) + 1);
  }
  return words ? [...found].toSorted(([a], [b]) => naturalOrder(a, b)) : null;
}

function isMissing(cell: Cell): boolean {
  return cell === null || Number.isNaN(cell);
}

function ends(cells: readonly Cell[]): [number | null, number | null] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const cell of cells) {
    if (typeof cell !== "number" || !Number.isFinite(cell)) continue;
    low = Math.min(low, cell);
    high = Math.max(high, cell);
  }
  return low <= high ? [low, high] : [null, null];
}
