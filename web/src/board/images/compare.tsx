/** Compares two images: of two runs at a step, or of two steps of a run. */

import { useEffect, useMemo, useRef, useState } from "react";
import { useWords, type WordId } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { abbreviate } from "../../lib/short-names";
import { Button } from "../../ui/button";
import { Segmented } from "../../ui/segmented";
import { Select } from "../../ui/select";
import { Swatch } from "../../ui/swatch";
import { textPx } from "../../ui/text-width";
import { colorOf, dashOf } from "../runs/line-styles";
import { useColorScheme } from "../view/theme";
import { change, commit, useView } from "../view/view";
import type { ImageBlend } from "../view/view-state";
import { BlendView } from "./blend-view";
import style from "./compare.module.css";
import {
  type ComparedImage,
  namesOf,
  type Side,
  type SideStep,
  type Sides,
  sidesOf,
  valueAtSide,
} from "./compare-sides";
import { MAX_CHOICES } from "./film-strip";
import { nameOf } from "./image-cell";
import { useImageInfo } from "./image-info";
import type { ImageSeries } from "./image-series";
import { useBox } from "./use-box";

interface CompareProps {
  tag: string;
  list: readonly ImageSeries[];
  step: number | null;
}

const BLENDS: readonly ImageBlend[] = ["wipe", "blink", "difference", "side"];

export function Compare({ tag, list, step }: CompareProps) {
  const say = useWords();
  const blend = useView((view) => view.imageBlend);
  const chosen = useView((view) => view.imageSides);
  const sides = sidesOf(list, chosen);
  const [sample, setSample] = useState(0);
  const left = useShown(tag, sides[0], step, sample);
  const right = useShown(tag, sides[1], step, sample);
  const count = Math.max(left?.count ?? 0, right?.count ?? 0);
  useEffect(() => {
    if (count > 0 && sample >= count) setSample(0);
  }, [count, sample]);
  const updateSide = (side: 0 | 1, patch: Partial<Side>) => {
    const next = sides.map((each, at) => (at === side ? { ...each, ...patch } : each));
    commit({ imageSides: namesOf(next as unknown as Sides) });
  };
  const samples = Array.from({ length: Math.min(count, MAX_CHOICES) }, (_, at) => ({
    value: String(at),
    label: say("images.sampleOf", { sample: at + 1, count }),
  }));
  const place = useRef<HTMLDivElement>(null);
  const runs = useRunChoices(list, useBox(place).width);
  return (
    <div className={style.compare}>
      <div className={style.tools}>
        <Segmented
          label={say("images.blend")}
          value={blend}
          options={BLENDS.map((value) => ({ value, label: say(`images.${value}`) }))}
          onChange={(value) => change({ imageBlend: value })}
        />
        <Button onClick={() => commit({ imageSides: namesOf([sides[1], sides[0]]) })}>
          {say("images.swap")}
        </Button>
        {count > 1 && (
          <Select
            label={say("images.sample")}
            value={String(sample)}
            options={samples}
            onChange={(value) => setSample(Number(value))}
          />
        )}
      </div>
      <div ref={place} className={style.sides}>
        <SideChoice
          word="images.left"
          side={sides[0]}
          list={list}
          runs={runs}
          step={step}
          onChange={(patch) => updateSide(0, patch)}
        />
        <SideChoice
          word="images.right"
          side={sides[1]}
          list={list}
          runs={runs}
          step={step}
          onChange={(patch) => updateSide(1, patch)}
        />
      </div>
      {left && right && <BlendView blend={blend} left={left} right={right} />}
    </div>
  );
}

function useShown(tag: string, side: Side, step: number | null, sample: number): ComparedImage | null {
  const say = useWords();
  const value = valueAtSide(side, step);
  const run = side.images?.run ?? "";
  const { described, error } = useImageInfo(tag, run, value?.at ?? null, sample);
  if (!value || !side.images) return null;
  const name = described?.nameOf(0) ?? { run, tag, at: value.at, sample };
  const { found } = described ?? {};
  return {
    name,
    info: found?.images[0],
    alt: nameOf(say, name, side.images.lineStyle.label, value.step, (found?.count ?? 1) > 1),
    count: found?.count ?? 0,
    fault: error?.message || found?.error || (found && !found.images[0] ? say("images.none") : ""),
  };
}

/** Width of the borders of a select and what surrounds it. */
const AROUND_PX = 64;
const FONT = "500 12px";

/** The runs to choose from, abbreviated where a browser would cut off the ends of their names. */
function useRunChoices(list: readonly ImageSeries[], roomPx: number) {
  return useMemo(() => {
    const labels = list.map(({ lineStyle }) => lineStyle.label);
    const widest = labels.reduce((most, label) => Math.max(most, textPx(label, FONT)), 0);
    const short = widest + AROUND_PX > roomPx ? abbreviate(labels) : null;
    return list.map(({ lineStyle }) => ({
      value: lineStyle.name,
      label: short?.get(lineStyle.label) ?? lineStyle.label,
    }));
  }, [list, roomPx]);
}

interface SideChoiceProps {
  word: WordId;
  side: Side;
  list: readonly ImageSeries[];
  runs: readonly { value: string; label: string }[];
  step: number | null;
  onChange(patch: Partial<Side>): void;
}

/** The run and the step of one side. */
function SideChoice({ word, side, list, runs, step, onChange }: SideChoiceProps) {
  const say = useWords();
  const value = valueAtSide(side, step);
  const scheme = useColorScheme();
  const wanted = typeof side.when === "number" ? side.when : side.when === "" ? step : null;
  const isNear = wanted !== null && value !== undefined && value.step !== wanted;
  const fixed = typeof side.when === "number" ? side.when : (value?.step ?? null);
  const options: { value: string; label: string }[] = [
    { value: "", label: say("images.at") },
    { value: "first", label: say("images.first") },
    { value: "previous", label: say("images.previousStep") },
    { value: "last", label: say("images.last") },
  ];
  if (fixed !== null) {
    options.push({ value: String(fixed), label: `${say("images.when")} ${formatStep(fixed)}` });
  }
  return (
    <fieldset className={style.side} aria-label={say(word)} data-side={word}>
      <span className={style.word}>{say(word)}</span>
      {side.images && (
        <Swatch color={colorOf(side.images.lineStyle, scheme)} dash={dashOf(side.images.lineStyle)} />
      )}
      <Select
        label={`${say(word)}: ${say("images.run")}`}
        value={side.images?.lineStyle.name ?? ""}
        options={runs}
        onChange={(name) =>
          onChange({ images: list.find(({ lineStyle }) => lineStyle.name === name) ?? null })
        }
      />
      <Select
        label={`${say(word)}: ${say("images.when")}`}
        value={String(side.when)}
        options={options}
        onChange={(text) => onChange({ when: /^-?\d/.test(text) ? Number(text) : (text as SideStep) })}
      />
      {value && (
        <span className={style.step} data-step={value.step} data-near={isNear || undefined}>
          {say("tip.step", { step: (isNear ? "≈\u2009" : "") + formatStep(value.step) })}
        </span>
      )}
    </fieldset>
  );
}
