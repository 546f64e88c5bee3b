/** What a card has for itself in numbers: smoothing, the range of y, and the range of x it shares with all. */

import { useId, useState } from "react";
import { choose, useChoice } from "../../state/cards";
import { useView } from "../../state/view";
import { MAX_SMOOTHING, type Span } from "../../state/viewstate";
import { boxOf, zoomAll, zoomCard, zoomOut } from "../../state/zoom";
import { Button } from "../../widgets/button";
import { useWords } from "../../words/words";
import type { Plot } from "./plot";
import style from "./settings.module.css";

export function Settings({ tag, plot }: { tag: string; plot: Plot | null }) {
  const axis = useView((view) => view.axis);
  return (
    <div className={style.settings}>
      <YRange tag={tag} plot={plot} />
      {axis !== "wall" && <XRange plot={plot} />}
      <Smoothing tag={tag} />
    </div>
  );
}

function YRange({ tag, plot }: { tag: string; plot: Plot | null }) {
  const say = useWords();
  const { y } = useChoice(tag);
  const box = useView((view) => boxOf(view, tag));
  const seen = plot?.chart.stats;
  const now = box?.y ?? y ?? (seen ? ([seen.ymin, seen.ymax] as const) : null);
  const put = (range: Span) => {
    if (box) zoomCard({ ...box, y: range }, true);
    else choose(tag, { y: range });
  };
  return (
    <Range
      label={say("card.yRange")}
      value={now}
      onChange={put}
      reset={y === undefined ? null : say("card.auto")}
      onReset={() => choose(tag, { y: undefined })}
      focus
    />
  );
}

function XRange({ plot }: { plot: Plot | null }) {
  const say = useWords();
  const zoom = useView((view) => view.zoom);
  const seen = plot?.chart.stats;
  return (
    <Range
      label={say("card.xRange")}
      value={zoom ?? (seen ? [seen.xmin, seen.xmax] : null)}
      onChange={(range) => zoomAll(range, true)}
      reset={zoom === null ? null : say("card.auto")}
      onReset={zoomOut}
    />
  );
}

interface RangeProps {
  label: string;
  value: Span | null;
  onChange(range: Span): void;
  /** Name of the way back; null where there is nothing to take back. */
  reset: string | null;
  onReset(): void;
  focus?: boolean;
}

/** Two numbers, taken when both are numbers and in order; until then they are marked as wrong. */
function Range({ label, value, onChange, reset, onReset, focus = false }: RangeProps) {
  const say = useWords();
  const [texts, setTexts] = useState(() => textsOf(value));
  const [given, setGiven] = useState(value);
  if (given?.[0] !== value?.[0] || given?.[1] !== value?.[1]) {
    setGiven(value);
    setTexts(textsOf(value));
  }
  const wrong = texts.some((text) => text !== "") && rangeOf(texts) === null;
  const edit = (at: 0 | 1, text: string) => {
    const next = texts.with(at, text);
    setTexts(next);
    const range = rangeOf(next);
    if (range === null) return;
    setGiven(range);
    onChange(range);
  };
  return (
    <fieldset className={style.range}>
      <legend>{label}</legend>
      {([0, 1] as const).map((at) => (
        <label key={at} className={style.end}>
          <span>{say(at === 0 ? "card.from" : "card.to")}</span>
          <input
            type="text"
            inputMode="decimal"
            value={texts[at]}
            aria-invalid={wrong || undefined}
            // biome-ignore lint/a11y/noAutofocus: the sheet was asked for to type here
            autoFocus={focus && at === 0}
            onFocus={(event) => event.target.select()}
            onChange={(event) => edit(at, event.target.value)}
          />
        </label>
      ))}
      {reset !== null && (
        <Button size="small" onClick={onReset}>
          {reset}
        </Button>
      )}
    </fieldset>
  );
}

/** Null while one of the texts is no number, or they are not in order. */
function rangeOf(texts: readonly string[]): Span | null {
  const [from = Number.NaN, to = Number.NaN] = texts.map((each) =>
    each.trim() === "" ? Number.NaN : Number(each),
  );
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
}

/** The most that a number is written with. */
const MOST_DECIMALS = 100;

/** As many digits as tell the ends apart, and some. */
function textsOf(value: Span | null): string[] {
  if (value === null || !value.every(Number.isFinite)) return ["", ""];
  const digits = Math.max(0, Math.min(MOST_DECIMALS, 4 - Math.floor(Math.log10(value[1] - value[0]))));
  return value.map((end) => String(Number(end.toFixed(digits))));
}

function Smoothing({ tag }: { tag: string }) {
  const say = useWords();
  const id = useId();
  const { smoothing } = useChoice(tag);
  const page = useView((view) => view.smoothing);
  const put = (text: string) => {
    const value = Number(text);
    if (text !== "" && Number.isFinite(value)) {
      choose(tag, { smoothing: Math.min(MAX_SMOOTHING, Math.max(0, value)) });
    }
  };
  return (
    <div className={style.smoothing}>
      <label htmlFor={id}>{say("card.ownSmoothing")}</label>
      <div>
        <input
          id={id}
          type="range"
          min={0}
          max={MAX_SMOOTHING}
          step={0.001}
          value={smoothing ?? page}
          onChange={(event) => put(event.target.value)}
        />
        <output>{Number((smoothing ?? page).toFixed(3))}</output>
        {smoothing !== undefined && (
          <Button size="small" onClick={() => choose(tag, { smoothing: undefined })}>
            {say("card.followPage")}
          </Button>
        )}
      </div>
    </div>
  );
}
