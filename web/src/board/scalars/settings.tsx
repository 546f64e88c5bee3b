/** Numeric settings of a card: smoothing, the range of y, and the shared range of x. */

import { useId, useState } from "react";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { Segmented } from "../../ui/segmented";
import { choose, useChoice } from "../view/cards";
import { commit, useView } from "../view/view";
import { MAX_SMOOTHING, type Span } from "../view/view-state";
import { boxOf, zoomAll, zoomCard, zoomOut } from "../view/zoom";
import type { Plot } from "./plot";
import style from "./settings.module.css";

interface SettingsProps {
  tag: string;
  plot: Plot | null;
  /** Some points share a step. */
  repeats: boolean;
}

export function Settings({ tag, plot, repeats }: SettingsProps) {
  const axis = useView((view) => view.axis);
  return (
    <div className={style.settings}>
      <YRange tag={tag} plot={plot} />
      {axis !== "wall" && <XRange plot={plot} />}
      <Smoothing tag={tag} />
      {repeats && <RepeatedSteps />}
    </div>
  );
}

/** Which of the points that share a step are drawn, on all cards. */
function RepeatedSteps() {
  const say = useWords();
  const repeats = useView((view) => view.repeats);
  const label = say("repeats.label");
  return (
    <div className={style.repeats}>
      <span aria-hidden="true">{label}</span>
      <Segmented
        label={label}
        value={repeats}
        options={(["all", "last"] as const).map((value) => ({ value, label: say(`repeats.${value}`) }))}
        onChange={(next) => commit({ repeats: next })}
      />
    </div>
  );
}

function YRange({ tag, plot }: { tag: string; plot: Plot | null }) {
  const say = useWords();
  const { y } = useChoice(tag);
  const box = useView((view) => boxOf(view, tag));
  const stats = plot?.chart.stats;
  const now = box?.y ?? y ?? (stats ? ([stats.ymin, stats.ymax] as const) : null);
  const update = (range: Span) => {
    if (box) zoomCard({ ...box, y: range }, true);
    else choose(tag, { y: range });
  };
  return (
    <Range
      label={say("card.yRange")}
      value={now}
      onChange={update}
      reset={y === undefined ? null : say("card.auto")}
      onReset={() => choose(tag, { y: undefined })}
      focus
    />
  );
}

function XRange({ plot }: { plot: Plot | null }) {
  const say = useWords();
  const zoom = useView((view) => view.zoom);
  const stats = plot?.chart.stats;
  return (
    <Range
      label={say("card.xRange")}
      value={zoom ?? (stats ? [stats.xmin, stats.xmax] : null)}
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
  /** Label of the reset button; null if there is nothing to reset. */
  reset: string | null;
  onReset(): void;
  focus?: boolean;
}

/** Two numbers, applied when both are valid and in order; until then they are marked as invalid. */
function Range({ label, value, onChange, reset, onReset, focus = false }: RangeProps) {
  const say = useWords();
  const [texts, setTexts] = useState(() => textsOf(value));
  const [lastValue, setLastValue] = useState(value);
  if (lastValue?.[0] !== value?.[0] || lastValue?.[1] !== value?.[1]) {
    setLastValue(value);
    setTexts(textsOf(value));
  }
  const wrong = texts.some((text) => text !== "") && rangeOf(texts) === null;
  const edit = (at: 0 | 1, text: string) => {
    const next = texts.with(at, text);
    setTexts(next);
    const range = rangeOf(next);
    if (range === null) return;
    setLastValue(range);
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
            // biome-ignore lint/a11y/noAutofocus: the popover was opened to type here
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

/** Null if a text is not a number, or they are not in order. */
function rangeOf(texts: readonly string[]): Span | null {
  const [from = Number.NaN, to = Number.NaN] = texts.map((each) =>
    each.trim() === "" ? Number.NaN : Number(each),
  );
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : null;
}

/** Maximum number of decimals. */
const MAX_DECIMALS = 100;

/** Enough digits to distinguish the ends. */
function textsOf(value: Span | null): string[] {
  if (value === null || !value.every(Number.isFinite)) return ["", ""];
  const digits = Math.max(0, Math.min(MAX_DECIMALS, 4 - Math.floor(Math.log10(value[1] - value[0]))));
  return value.map((end) => String(Number(end.toFixed(digits))));
}

function Smoothing({ tag }: { tag: string }) {
  const say = useWords();
  const id = useId();
  const { smoothing } = useChoice(tag);
  const page = useView((view) => view.smoothing);
  const update = (text: string) => {
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
          onChange={(event) => update(event.target.value)}
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
