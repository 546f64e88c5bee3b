/** Rows of boxes in a form, such as those of variables: each can be removed, and more can be added. */

import { type ClipboardEvent, type ReactNode, useId } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import boxes from "../../ui/text-box.module.css";
import style from "./field-rows.module.css";
import form from "./form.module.css";

interface FieldRowsProps<Row> {
  label: string;
  /** Label of the button that adds a row. */
  more: string;
  hint?: string | undefined;
  fault?: string | null | undefined;
  /** Why there can be no more rows, instead of the hint. */
  obstacle?: string | undefined;
  rows: readonly Row[];
  newRow(): Row;
  /** What a row is called if it is to be removed, "" for its number. */
  nameOf(row: Row): string;
  /** Class of each row: its columns. */
  rowClass: string | undefined;
  onChange(rows: readonly Row[]): void;
  testId: string;
  /** The fields of a row; `at` counts from 0. */
  children(row: Row, at: number, change: (fields: Partial<Row>) => void): ReactNode;
}

/** Rows have unique keys. */
export function FieldRows<Row extends { key: number }>(props: FieldRowsProps<Row>) {
  const { label, more, hint, fault, obstacle, rows, newRow, nameOf, rowClass, onChange, testId, children } =
    props;
  const say = useWords();
  const reason = useId();
  const changeOf = (key: number) => (fields: Partial<Row>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...fields } : row)));
  return (
    <fieldset className={style.rows} data-testid={testId}>
      <legend>{label}</legend>
      {rows.map((row, at) => (
        <div key={row.key} className={rowClass}>
          {children(row, at, changeOf(row.key))}
          <Button
            variant="quiet"
            icon="trash"
            label={say("hub.pair.remove", { name: nameOf(row) || String(at + 1) })}
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
        </div>
      ))}
      {fault && (
        <p className={style.fault} role="alert">
          {fault}
        </p>
      )}
      {(obstacle || hint) && (
        <p className={form.hint} id={reason}>
          {obstacle || hint}
        </p>
      )}
      <div>
        <Button
          size="small"
          icon="plus"
          disabled={!!obstacle}
          aria-describedby={obstacle ? reason : undefined}
          onClick={() => onChange([...rows, newRow()])}
        >
          {more}
        </Button>
      </div>
    </fieldset>
  );
}

interface RowBoxProps {
  label: string;
  placeholder: string;
  value: string;
  maxLength?: number;
  /** In the first box of a row that was just added. */
  focused?: boolean;
  onChange(value: string): void;
  onPaste?(event: ClipboardEvent): void;
}

/** A box for names, paths and other code. */
export function RowBox({ label, placeholder, value, maxLength, focused, onChange, onPaste }: RowBoxProps) {
  return (
    <input
      className={`${boxes.box} ${boxes.code}`}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      autoComplete="off"
      spellCheck={false}
      maxLength={maxLength}
      // biome-ignore lint/a11y/noAutofocus: a row that was just added is to be filled in
      autoFocus={focused}
      onPaste={onPaste}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
