/** Edits rows of names and values. Pasted lines NAME=VALUE become rows. */

import type { ClipboardEvent } from "react";
import { useWords } from "../../i18n/words";
import { newPair, type Pair, pairsIn } from "../data/pairs";
import { FieldRows, RowBox } from "./field-rows";
import style from "./pair-rows.module.css";

interface PairRowsProps {
  label: string;
  /** Label of the button that adds a row. */
  more: string;
  hint?: string;
  fault?: string | null | undefined;
  pairs: readonly Pair[];
  /** What a name and a value look like. */
  examples: readonly [name: string, value: string];
  onChange(pairs: readonly Pair[]): void;
  testId: string;
}

const MAX_NAME = 200;

export function PairRows({ label, more, hint, fault, pairs, examples, onChange, testId }: PairRowsProps) {
  const say = useWords();
  const paste = (event: ClipboardEvent, { key }: Pair) => {
    const pasted = pairsIn(event.clipboardData.getData("text"));
    if (pasted.length === 0) return;
    event.preventDefault();
    onChange(pairs.flatMap((pair) => (pair.key === key ? pasted : [pair])));
  };
  return (
    <FieldRows
      label={label}
      more={more}
      hint={hint}
      fault={fault}
      rows={pairs}
      newRow={newPair}
      nameOf={(pair) => pair.name}
      rowClass={style.row}
      onChange={onChange}
      testId={testId}
    >
      {(pair, at, change) => (
        <>
          <RowBox
            label={say("hub.pair.name", { label, number: at + 1 })}
            placeholder={examples[0]}
            value={pair.name}
            maxLength={MAX_NAME}
            focused={pair.name === "" && at === pairs.length - 1}
            onPaste={(event) => paste(event, pair)}
            onChange={(name) => change({ name })}
          />
          <RowBox
            label={say("hub.pair.value", { label, number: at + 1 })}
            placeholder={examples[1]}
            value={pair.value}
            onChange={(value) => change({ value })}
          />
        </>
      )}
    </FieldRows>
  );
}
