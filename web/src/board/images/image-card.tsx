/** The images of a tag as a card among charts: each run at the shared step, as many as fit, and a slider of steps. */

import { useEffect, useMemo, useRef, useState } from "react";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { type ShortNames, shortNames } from "../../lib/short-names";
import { Button } from "../../ui/button";
import { StepSlider } from "../../ui/step-slider";
import { textPx } from "../../ui/text-width";
import { Card } from "../cards/card";
import { LoadError } from "../cards/load-error";
import type { TagInfo } from "../data/lists";
import type { LineStyle } from "../runs/line-styles";
import { showFullScreen, useFullScreenCard } from "../view/full-screen-card";
import { nearestStepIndex, setStep, useStepUnion } from "../view/steps";
import { commit, useView } from "../view/view";
import { Caption } from "./caption";
import { type Captions, captionsIn } from "./captions";
import { fitImageBeside } from "./fit";
import { FullImage } from "./full-image";
import style from "./image-card.module.css";
import { ImageCell } from "./image-cell";
import { useImageInfo } from "./image-info";
import { Actions } from "./image-section";
import { type ImageSeries, useImageSeries, valueNear } from "./image-series";
import { tilingOf } from "./tiling";
import { useBox } from "./use-box";

interface ImageCardProps {
  tag: TagInfo;
  runs: readonly LineStyle[];
  /** Not in the window yet. */
  near: boolean;
}

/** From this width on the word "step" precedes a step, as in the style of captions. */
const WORD_PX = 180;
const FONT = "12px";

export function ImageCard({ tag, runs, near }: ImageCardProps) {
  const say = useWords();
  const name = tag.tag;
  const card = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const box = useBox(body);
  // A card that leaves the window keeps its images.
  const [visible, setVisible] = useState(!near);
  if (!near && !visible) setVisible(true);
  const { list, loaded, error, retry } = useImageSeries(name, runs, visible);
  const steps = useStepUnion(list.map(({ series }) => series));
  const step = useView((view) => view.pin?.step ?? null);
  const [open, setOpen] = useState<string | null>(null);
  const fullScreen = useFullScreenCard((full) => full.tag === name);
  const state = error ? "error" : !loaded ? "loading" : list.length === 0 ? "empty" : "ready";
  useEffect(() => {
    card.current!.dataset.state = state;
  }, [state]);
  const { common, each } = useMemo(() => namesIn(list), [list]);
  const captions = useCaptions(each, steps);
  const tiling = tilingOf(list.length, box, (width) => captions(width).px);
  const { texts } = captions(tiling.width);
  const close = () => {
    setOpen(null);
    if (fullScreen) showFullScreen(null);
  };
  const all = () => commit({ page: "images", tagFilter: name });
  return (
    <>
      <Card
        ref={card}
        tag={name}
        displayName={tag.display_name}
        summary={
          loaded && (
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
              <LoadError
                className={style.nothing}
                error={error}
                otherwise={say("images.failed")}
                onRetry={retry}
              />
            )}
            {box.width > 0 &&
              list
                .slice(0, tiling.shown)
                .map((images, at) => (
                  <One
                    key={images.lineStyle.id}
                    tag={name}
                    images={images}
                    text={texts[at]}
                    step={step}
                    box={tiling}
                    onOpen={() => setOpen(images.run)}
                  />
                ))}
          </div>
          <div className={style.foot}>
            {steps.length > 1 && (
              <StepSlider
                label={say("step.label")}
                steps={steps}
                at={step === null ? steps.length - 1 : nearestStepIndex(steps, step)}
                onChange={setStep}
              />
            )}
            {list.length > tiling.shown && (
              <Button variant="quiet" size="small" onClick={all}>
                {say("images.more", { count: count(list.length - tiling.shown) })}
              </Button>
            )}
          </div>
        </div>
      </Card>
      {(open !== null || fullScreen) && list.length > 0 && (
        <FullImage tag={tag} list={list} step={step} run={open ?? list[0]!.run} sample={0} onClose={close} />
      )}
    </>
  );
}

/** A single run keeps its name. */
function namesIn(list: readonly ImageSeries[]): ShortNames {
  const labels = list.map(({ lineStyle }) => lineStyle.label);
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
      const text = width > WORD_PX ? say("tip.step", { step }) : step;
      const captions = known.get(width) ?? captionsIn(names, text, width, (each) => textPx(each, FONT));
      known.set(width, captions);
      return captions;
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
  const { lineStyle, run } = images;
  const value = valueNear(images, step);
  const { described, error } = useImageInfo(tag, run, value?.at ?? null);
  const info = described?.found.images[0];
  const fault = error?.message || described?.found.error || (described && !info && say("images.empty"));
  return (
    <section className={style.one} style={{ width: box.width }} aria-label={lineStyle.label}>
      <div className={style.place} style={{ maxHeight: box.height }}>
        {info && value && (
          <ImageCell
            name={described.nameOf(0)}
            info={info}
            fit={fitImageBeside(info, box)}
            label={lineStyle.label}
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
      <Caption
        lineStyle={lineStyle}
        text={text}
        step={value?.step ?? null}
        wall={value?.wall}
        wanted={step}
      />
    </section>
  );
}
