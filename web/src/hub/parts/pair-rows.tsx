/** Edits rows of names and values. Pasted lines NAME=VALUE become rows. */

import type { ClipboardEvent } from "react";
import { Button } from "../../widgets/button";
import boxes from "../../widgets/text-box.module.css";
import { useWords } from "../../words/words";
import { newPair, type Pair, pairsIn } from "../state/pairs";
import form from "./form.module.css";
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

export function PairRows({ label, more, hint, fault, pairs, examples, onChange, testId }: PairRowsProps) {
  const say = useWords();
  const change = (key: number, fields: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...fields } : pair)));
  const paste = (event: ClipboardEvent, { key }: Pair) => {
    const pasted = pairsIn(event.clipboardData.getData("text"));
    if (pasted.length === 0) return;
    event.preventDefault();
    onChange(pairs.flatMap((pair) => (pair.key === key ? pasted : [pair])));
  };
  return (
    <fieldset className={style.rows} data-testid={testId}>
      <legend>{label}</legend>
      {pairs.map((pair, at) => (
        <div key={pair.key} className={style.row}>
          <input
            className={`${boxes.box} ${boxes.code}`}
            aria-label={say("hub.pair.name", { label, number: at + 1 })}
            placeholder={examples[0]}
            value={pair.name}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            // biome-ignore lint/a11y/noAutofocus: a row that was just added is to be filled in
            autoFocus={pair.name === "" && at === pairs.length - 1}
            onPaste={(event) => paste(event, pair)}
            onChange={(event) => change(pair.key, { name: event.target.value })}
          />
          <input
            className={`${boxes.box} ${boxes.code}`}
            aria-label={say("hub.pair.value", { label, number: at + 1 })}
            placeholder={examples[1]}
            value={pair.value}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => change(pair.key, { value: event.target.value })}
          />
          <Button
            variant="quiet"
            icon="trash"
            label={say("hub.pair.remove", { name: pair.name || String(at + 1) })}
            onClick={() => onChange(pairs.filter(({ key }) => key !== pair.key))}
          />
        </div>
      ))}
      {fault && (
        <p className={style.fault} role="alert">
          {fault}
        </p>
      )}
      {hint && <p className={form.hint}>{hint}</p>}
      <div>
        <Button size="small" icon="plus" onClick={() => onChange([...pairs, newPair()])}>
          {more}
        </Button>
      </div>
    </fieldset>
  );
}
