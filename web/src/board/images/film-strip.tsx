/** All steps of each run in a virtual row; a click selects a step. */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Select } from "../../ui/select";
import { setStep } from "../view/steps";
import { useView } from "../view/view";
import { Caption } from "./caption";
import style from "./film-strip.module.css";
import { isHuge, SIZE_PX } from "./fit";
import { useFit } from "./grid";
import { nameOf } from "./image-cell";
import { useImageInfo } from "./image-info";
import { type ImageSeries, valueIn, valueNear } from "./image-series";
import { Picture } from "./picture";

interface FilmProps {
  tag: string;
  list: readonly ImageSeries[];
  step: number | null;
}

const GAP_PX = 8;
/** Room for the step under an image. */
const FOOT_PX = 20;

export function FilmStrip({ tag, list, step }: FilmProps) {
  const [sample, setSample] = useState(0);
  const [total, setTotal] = useState(1);
  const say = useWords();
  const options = Array.from({ length: Math.min(total, MAX_CHOICES) }, (_, at) => ({
    value: String(at),
    label: say("images.sampleOf", { sample: at + 1, count: total }),
  }));
  return (
    <>
      {total > 1 && (
        <div className={style.choice}>
          <Select
            label={say("images.sample")}
            value={String(sample)}
            options={options}
            onChange={(value) => setSample(Number(value))}
          />
        </div>
      )}
      <div className={style.films}>
        {list.map((images) => (
          <Strip
            key={images.lineStyle.id}
            tag={tag}
            images={images}
            step={step}
            sample={sample}
            onTotal={(count) => setTotal((was) => Math.max(was, count))}
          />
        ))}
      </div>
    </>
  );
}

/** A list of choices with more is no help. */
export const MAX_CHOICES = 500;

interface StripProps {
  tag: string;
  images: ImageSeries;
  step: number | null;
  sample: number;
  onTotal(count: number): void;
}

function Strip({ tag, images, step, sample, onTotal }: StripProps) {
  const size = SIZE_PX[useView((view) => view.imageSize)];
  const scroll = useRef<HTMLDivElement>(null);
  const { lineStyle, series } = images;
  const current = valueNear(images, step);
  // Images of a series usually have one size: the current one determines the height.
  const { described } = useImageInfo(tag, images.run, current?.at ?? null, sample);
  const fitOf = useFit(size);
  const info = described?.found.images[0];
  const drawn = info ? fitOf(info) : { width: size, height: size };
  const cellPx = Math.max(MIN_CELL_PX, Math.min(drawn.width, MAX_CELL_PX));
  const count = described?.found.count;
  useEffect(() => {
    if (count !== undefined) onTotal(count);
  }, [count, onTotal]);
  const list = useVirtualizer({
    horizontal: true,
    count: series.keys.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => cellPx + GAP_PX,
    getItemKey: (at) => series.keys[at]!,
    overscan: 2,
    useFlushSync: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width, other places
  useEffect(() => list.measure(), [cellPx, list]);
  const place = current?.index ?? -1;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another width, other places
  useEffect(() => {
    if (place >= 0) list.scrollToIndex(place, { align: "auto" });
  }, [place, cellPx, list]);
  return (
    <section className={style.strip} aria-label={lineStyle.label} data-run={lineStyle.name}>
      <Caption lineStyle={lineStyle} step={current?.step ?? null} wall={current?.wall} wanted={step} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long row is scrolled by keys too */}
      <div ref={scroll} className={style.scroll} tabIndex={0} data-testid="film">
        <div
          className={style.row}
          style={{ width: list.getTotalSize(), height: Math.max(drawn.height, 24) + FOOT_PX + 8 }}
        >
          {list.getVirtualItems().map(({ key, index, start }) => (
            <Frame
              key={key}
              tag={tag}
              images={images}
              place={index}
              sample={sample}
              left={start}
              width={cellPx}
              current={index === place}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

const MIN_CELL_PX = 56;
const MAX_CELL_PX = 2048;

interface FrameProps {
  tag: string;
  images: ImageSeries;
  place: number;
  sample: number;
  left: number;
  width: number;
  current: boolean;
}

function Frame({ tag, images, place, sample, left, width, current }: FrameProps) {
  const say = useWords();
  const fitOf = useFit(SIZE_PX[useView((view) => view.imageSize)]);
  const value = valueIn(images, place);
  const { described, error } = useImageInfo(tag, images.run, value?.at ?? null, sample);
  if (!value) return null;
  const name = described?.nameOf(0) ?? { run: images.run, tag, at: value.at, sample };
  const info = described?.found.images[0];
  const fault = error?.message || described?.found.error || (described && !info && say("images.none"));
  const image = nameOf(say, name, images.lineStyle.label, value.step, (described?.found.count ?? 1) > 1);
  return (
    <div className={style.frame} style={{ left, width }} data-testid="image" data-step={value.step}>
      <button
        type="button"
        className={style.go}
        data-below={!info || isHuge(info) || !info.media_type.startsWith("image/") || undefined}
        aria-label={image}
        aria-current={current ? "step" : undefined}
        onClick={() => setStep(value.step)}
      >
        <span>{formatStep(value.step)}</span>
      </button>
      {info && <Picture name={name} info={info} fit={fitOf(info)} alt="" />}
      {fault && <span className={style.fault}>{fault}</span>}
    </div>
  );
}
