/** The images of a tag as a card among charts: each run at the shared step, as many as fit, and a slider of their steps. */

import { useEffect, useMemo, useRef, useState } from "react";
import { formatStep } from "../../base/number";
import { type ShortNames, shortNames } from "../../base/short-names";
import { Card } from "../../panel/card";
import { Failed } from "../../panel/failed";
import { showFull, useFull } from "../../state/full";
import type { TagInfo } from "../../state/lists";
import type { RunLook } from "../../state/looks";
import { nearestAt, setStep, useUnion } from "../../state/steps";
import { commit, useView } from "../../state/view";
import { Button } from "../../widgets/button";
import { StepSlider } from "../../widgets/step-slider";
import { textPx } from "../../widgets/text-width";
import { count } from "../../words/format";
import { useWords } from "../../words/words";
import { useBox } from "./box";
import { Caption } from "./caption";
import { type Captions, captionsIn } from "./captions";
import { useDescribed } from "./described";
import { fittedBeside } from "./fit";
import { FullImage } from "./full-image";
import style from "./image-card.module.css";
import { ImageCell } from "./image-cell";
import { Actions } from "./image-section";
import { type ImageSeries, useImageSeries, valueNear } from "./series";
import { sheetOf } from "./sheet";

interface ImageCardProps {
  tag: TagInfo;
  runs: readonly RunLook[];
  /** Not in the window yet. */
  near: boolean;
}

/** From this width on the word "step" stands before a step, as in the style of captions. */
const WORD_PX = 180;
const FONT = "12px";

export function ImageCard({ tag, runs, near }: ImageCardProps) {
  const say = useWords();
  const name = tag.tag;
  const card = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const box = useBox(body);
  // What was asked for once is kept: a card that leaves the window keeps its images.
  const [seen, setSeen] = useState(!near);
  if (!near && !seen) setSeen(true);
  const { list, known, error, retry } = useImageSeries(name, runs, seen);
  const steps = useUnion(list.map(({ series }) => series));
  const step = useView((view) => view.pin?.step ?? null);
  const [open, setOpen] = useState<string | null>(null);
  const asked = useFull((full) => full.tag === name);
  const state = error ? "error" : !known ? "loading" : list.length === 0 ? "empty" : "ready";
  useEffect(() => {
    card.current!.dataset.state = state;
  }, [state]);
  const { common, each } = useMemo(() => namesIn(list), [list]);
  const captions = useCaptions(each, steps);
  const sheet = sheetOf(list.length, box, (width) => captions(width).px);
  const { texts } = captions(sheet.width);
  const close = () => {
    setOpen(null);
    if (asked) showFull(null);
  };
  const all = () => commit({ page: "images", tagFilter: name });
  return (
    <>
      <Card
        ref={card}
        tag={name}
        displayName={tag.display_name}
        summary={
          known && (
            <>
              <span>{say("images.summary", { runs: list.length, steps: steps.length })}</span>
              {common !== "" && (
                <span className={style.common} title={common}>
                  {common}
                </span>
              )}
            </>
          )
        }
        actions={<Actions tag={name} list={list} step={step} />}
      >
        <div className={style.inside} data-kind="images">
          <div ref={body} className={style.body}>
            {state === "empty" && <p className={style.nothing}>{say("images.empty")}</p>}
            {error && (
              <Failed
                className={style.nothing}
                error={error}
                otherwise={say("images.failed")}
                onRetry={retry}
              />
            )}
            {box.width > 0 &&
              list
                .slice(0, sheet.shown)
                .map((images, at) => (
                  <One
                    key={images.look.id}
                    tag={name}
                    images={images}
                    text={texts[at]}
                    step={step}
                    box={sheet}
                    onOpen={() => setOpen(images.run)}
                  />
                ))}
          </div>
          <div className={style.foot}>
            {steps.length > 1 && (
              <StepSlider
                label={say("step.label")}
                steps={steps}
                at={step === null ? steps.length - 1 : nearestAt(steps, step)}
                onChange={setStep}
              />
            )}
            {list.length > sheet.shown && (
              <Button look="quiet" size="small" onClick={all}>
                {say("images.more", { count: count(list.length - sheet.shown) })}
              </Button>
            )}
          </div>
        </div>
      </Card>
      {(open !== null || asked) && list.length > 0 && (
        <FullImage tag={tag} list={list} step={step} run={open ?? list[0]!.run} sample={0} onClose={close} />
      )}
    </>
  );
}

/** A run alone keeps its name. */
function namesIn(list: readonly ImageSeries[]): ShortNames {
  const labels = list.map(({ look }) => look.label);
  return labels.length < 2 ? { common: "", each: labels } : shortNames(labels);
}

/** The captions of the runs under images of a width. */
function useCaptions(names: readonly string[], steps: readonly number[]): (widthPx: number) => Captions {
  const say = useWords();
  return useMemo(() => {
    const step = formatStep(steps.at(-1) ?? 0);
    const known = new Map<number, Captions>();
    return (widthPx) => {
      const width = Math.round(widthPx);
      const text = width > WORD_PX ? `${say("step.label")} ${step}` : step;
      const made = known.get(width) ?? captionsIn(names, text, width, (each) => textPx(each, FONT));
      known.set(width, made);
      return made;
    };
  }, [names, steps, say]);
}

interface OneProps {
  tag: string;
  images: ImageSeries;
  text: string | undefined;
  step: number | null;
  box: { width: number; height: number };
  onOpen(): void;
}

function One({ tag, images, text, step, box, onOpen }: OneProps) {
  const say = useWords();
  const { look, run } = images;
  const value = valueNear(images, step);
  const { described, error } = useDescribed(tag, run, value?.at ?? null);
  const info = described?.found.images[0];
  const fault = error?.message || described?.found.error || (described && !info && say("images.empty"));
  return (
    <section className={style.one} style={{ width: box.width }} aria-label={look.label}>
      <div className={style.place} style={{ maxHeight: box.height }}>
        {info && value && (
          <ImageCell
            name={described.nameOf(0)}
            info={info}
            fit={fittedBeside(info, box)}
            label={look.label}
            step={value.step}
            several={described.found.count > 1}
            onOpen={onOpen}
          />
        )}
        {fault && (
          <span className={style.fault} title={fault}>
            {fault}
          </span>
        )}
      </div>
      <Caption look={look} text={text} step={value?.step ?? null} wall={value?.wall} wanted={step} />
    </section>
  );
}
