/** The text of one run at one step: head, text, what to do with it. */

import { useState } from "react";
import { formatStep } from "../../base/number";
import { Failed } from "../../panel/failed";
import { colorOf, dashOf } from "../../state/looks";
import type { RunSeries, SeriesValue } from "../../state/runseries";
import { useShade } from "../../state/theme";
import type { TextMode } from "../../state/viewstate";
import { Button } from "../../widgets/button";
import { WrappedName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { bytes, whenText } from "../../words/format";
import { useWords } from "../../words/words";
import { Cells } from "./cells";
import { Difference } from "./difference";
import { Folded } from "./folded";
import { FIRST_BYTES, MOST_BYTES, plainText, type TextName, useText } from "./shown";
import style from "./text-column.module.css";
import { TextMenu } from "./text-menu";

/** What a text is compared with. */
export interface Other {
  name: TextName | null;
  /** Said where there is nothing to compare with. */
  missing: string;
}

interface TextColumnProps {
  tag: string;
  series: RunSeries;
  value: SeriesValue;
  /** The step asked for where the value is of another. */
  wanted: number | null;
  mode: TextMode;
  other: Other;
  /** The run is said above already. */
  bare?: boolean;
}

export function TextColumn({ tag, series, value, wanted, mode, other, bare = false }: TextColumnProps) {
  const say = useWords();
  const shade = useShade();
  const { look, run } = series;
  const name: TextName = { run, tag, at: value.key };
  const exact = wanted === null || wanted === value.step;
  return (
    <section className={style.column} aria-label={look.label} data-run={look.name} data-step={value.step}>
      <header className={style.head}>
        {!bare && (
          <>
            <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
            <span className={style.run}>
              <WrappedName name={look.label} title={look.name} />
            </span>
          </>
        )}
        <span
          className={style.step}
          title={whenText(value.wall, exact ? "" : say("text.near", { step: formatStep(wanted) }))}
        >
          {say("step.label")} {exact ? "" : "≈ "}
          {formatStep(value.step)}
        </span>
        <span className={style.grow} />
        <TextMenu name={name} value={value} />
      </header>
      {mode === "diff" ? (
        <Compared key={value.key} name={name} other={other} />
      ) : (
        <Shown key={`${value.key}${mode}`} name={name} mode={mode} />
      )}
    </section>
  );
}

function Shown({ name, mode }: { name: TextName; mode: "markdown" | "raw" }) {
  const say = useWords();
  const [most, setMost] = useState(FIRST_BYTES);
  const [slice, setSlice] = useState(0);
  const { text, error, retry } = useText(name, { form: mode, most, slice });
  if (error) return <Failed className={style.failed} error={error} onRetry={retry} />;
  if (!text) return <div className={style.waiting} />;
  const shown = mode === "raw" ? Math.min(most, text.size) : Math.min(FIRST_BYTES, text.size);
  return (
    <div className={style.text} data-cut={text.cut}>
      {text.slices > 1 && <Slices at={text.slice} count={text.slices} onChange={setSlice} />}
      <Folded>
        <Cells text={text} form={mode} />
      </Folded>
      {text.plain && <p className={style.note}>{say("text.plain")}</p>}
      {text.cut && (
        <p className={style.note}>
          {say(mode === "raw" ? "text.cut" : "text.cutMarkdown", {
            shown: bytes(shown),
            size: bytes(text.size),
          })}
          {mode === "raw" && most < MOST_BYTES && (
            <Button size="small" onClick={() => setMost(Math.min(MOST_BYTES, most * 8))}>
              {say("text.more")}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

function Slices({ at, count, onChange }: { at: number; count: number; onChange(slice: number): void }) {
  const say = useWords();
  return (
    <p className={style.note}>
      <Button
        look="quiet"
        size="small"
        icon="left"
        label={say("text.prevTable")}
        disabled={at === 0}
        onClick={() => onChange(at - 1)}
      />
      {say("text.table", { at: at + 1, count })}
      <Button
        look="quiet"
        size="small"
        icon="right"
        label={say("text.nextTable")}
        disabled={at === count - 1}
        onClick={() => onChange(at + 1)}
      />
    </p>
  );
}

function Compared({ name, other }: { name: TextName; other: Other }) {
  const say = useWords();
  const part = { form: "raw", most: FIRST_BYTES, slice: 0 } as const;
  const now = useText(name, part);
  const before = useText(other.name, part);
  const error = now.error ?? before.error;
  const retry = () => {
    now.retry();
    before.retry();
  };
  if (error) return <Failed className={style.failed} error={error} onRetry={retry} />;
  if (!now.text || (other.name && !before.text)) return <div className={style.waiting} />;
  return (
    <div className={style.text}>
      {!other.name && <p className={style.note}>{other.missing}</p>}
      {(now.text.cut || before.text?.cut) && (
        <p className={style.note}>
          {say("text.cut", {
            shown: bytes(FIRST_BYTES),
            size: bytes(Math.max(now.text.size, before.text?.size ?? 0)),
          })}
        </p>
      )}
      <Folded>
        <Difference
          before={plainText(before.text ?? now.text)}
          after={plainText(now.text)}
          quiet={!other.name}
        />
      </Folded>
    </div>
  );
}
