/** The text of one run at one step: header, text, actions. */

import { useState } from "react";
import { bytes, whenText } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Button } from "../../ui/button";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { LoadError } from "../cards/load-error";
import type { RunSeries, SeriesValue } from "../cards/run-series";
import { colorOf, dashOf } from "../runs/line-styles";
import { useColorScheme } from "../view/theme";
import type { TextMode } from "../view/view-state";
import { Cells, Folded } from "./content";
import { Difference } from "./difference";
import { ExportMenu } from "./export-menu";
import style from "./text-column.module.css";
import { FIRST_BYTES, MAX_BYTES, plainText, type TextName, useText } from "./text-value";

/** What a text is compared with. */
export interface ComparisonText {
  name: TextName | null;
  /** Shown if there is nothing to compare with. */
  missing: string;
}

interface TextColumnProps {
  tag: string;
  series: RunSeries;
  value: SeriesValue;
  /** The requested step, if the value is of another. */
  wanted: number | null;
  mode: TextMode;
  other: ComparisonText;
  /** The run is already shown above. */
  bare?: boolean;
}

export function TextColumn({ tag, series, value, wanted, mode, other, bare = false }: TextColumnProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const { lineStyle, run } = series;
  const name: TextName = { run, tag, at: value.key };
  const exact = wanted === null || wanted === value.step;
  return (
    <section
      className={style.column}
      aria-label={lineStyle.label}
      data-run={lineStyle.name}
      data-step={value.step}
    >
      <header className={style.head}>
        {!bare && (
          <>
            <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
            <span className={style.run}>
              <WrappedName name={lineStyle.label} title={lineStyle.name} />
            </span>
          </>
        )}
        <span
          className={style.step}
          title={whenText(value.wall, exact ? "" : say("text.near", { step: formatStep(wanted) }))}
        >
          {say("tip.step", { step: (exact ? "" : "≈\u2009") + formatStep(value.step) })}
        </span>
        <span className={style.grow} />
        <ExportMenu name={name} value={value} />
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
  if (error) return <LoadError className={style.failed} error={error} onRetry={retry} />;
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
          {mode === "raw" && most < MAX_BYTES && (
            <Button size="small" onClick={() => setMost(Math.min(MAX_BYTES, most * 8))}>
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
        variant="quiet"
        size="small"
        icon="left"
        label={say("text.prevTable")}
        disabled={at === 0}
        onClick={() => onChange(at - 1)}
      />
      {say("text.table", { at: at + 1, count })}
      <Button
        variant="quiet"
        size="small"
        icon="right"
        label={say("text.nextTable")}
        disabled={at === count - 1}
        onClick={() => onChange(at + 1)}
      />
    </p>
  );
}

function Compared({ name, other }: { name: TextName; other: ComparisonText }) {
  const say = useWords();
  const part = { form: "raw", most: FIRST_BYTES, slice: 0 } as const;
  const now = useText(name, part);
  const before = useText(other.name, part);
  const error = now.error ?? before.error;
  const retry = () => {
    now.retry();
    before.retry();
  };
  if (error) return <LoadError className={style.failed} error={error} onRetry={retry} />;
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
