/** Runs side by side at one step; several images of a step as a sheet, the same for every run. */

import { useEffect, useRef, useState } from "react";
import type { ImageInfo } from "../../api/images";
import { count } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { Button } from "../../ui/button";
import { LazyMount } from "../../ui/lazy-mount";
import { useView } from "../view/view";
import { Caption } from "./caption";
import { type DrawnSize, fitImage, placePxOf, SIZE_PX, scaleImage, sharedPx } from "./fit";
import style from "./grid.module.css";
import { ImageCell } from "./image-cell";
import { SAMPLES_AT_ONCE, useImageInfo } from "./image-info";
import { type ImageSeries, valueNear } from "./image-series";
import { useBox } from "./use-box";

interface GridProps {
  tag: string;
  list: readonly ImageSeries[];
  /** Null: the last of each run. */
  step: number | null;
  onOpen(run: string, sample: number): void;
}

/** Maximum ratio of height to width of an image. */
const TALLEST = 1.5;

/** Sizes images by the settings of the page, for a place of this width shared by `count` images. */
export function useFit(placePx: number, count = 1): (info: ImageInfo) => DrawnSize {
  const trueSize = useView((view) => view.trueSize);
  const width = sharedPx(placePx, count);
  return (info) => {
    if (info.width === 0 || info.height === 0) return fitImage(info, { width, height: width });
    return trueSize ? scaleImage(info, 1) : fitImage(info, { width, height: width * TALLEST });
  };
}

export function Grid({ tag, list, step, onOpen }: GridProps) {
  const [first, setFirst] = useState(0);
  const [totals, setTotals] = useState<Readonly<Record<number, number>>>({});
  const total = Math.max(0, ...Object.values(totals));
  const place = useRef<HTMLDivElement>(null);
  const leastPx = SIZE_PX[useView((view) => view.imageSize)];
  const placePx = placePxOf(useBox(place).width, list.length, leastPx);
  const tell = (run: number, count: number) =>
    setTotals((was) => (was[run] === count ? was : { ...was, [run]: count }));
  return (
    <>
      <SamplePager first={first} total={total} onChange={setFirst} />
      <div ref={place} className={style.runs}>
        {placePx > 0 &&
          list.map((images) => (
            <LazyMount key={images.lineStyle.id} height={placePx} className={style.near}>
              <Run
                tag={tag}
                images={images}
                step={step}
                first={first}
                placePx={placePx}
                onTotal={tell}
                onOpen={onOpen}
              />
            </LazyMount>
          ))}
      </div>
    </>
  );
}

interface RunProps {
  tag: string;
  images: ImageSeries;
  step: number | null;
  first: number;
  /** Its width. */
  placePx: number;
  onTotal(run: number, count: number): void;
  onOpen(run: string, sample: number): void;
}

function Run({ tag, images, step, first, placePx, onTotal, onOpen }: RunProps) {
  const say = useWords();
  const { lineStyle, run } = images;
  const value = valueNear(images, step);
  const { described, error } = useImageInfo(tag, run, value?.at ?? null, first);
  const count = described?.found.count;
  const fitOf = useFit(placePx, Math.min(count ?? 1, SAMPLES_AT_ONCE));
  useEffect(() => {
    if (count !== undefined) onTotal(lineStyle.id, count);
  }, [lineStyle.id, count, onTotal]);
  const shown = described?.found;
  const fault = error?.message ?? shown?.error;
  const wide = Math.max(placePx, ...(shown?.images.map((info) => fitOf(info).width) ?? []));
  return (
    <section
      className={style.run}
      style={{ width: wide }}
      aria-label={lineStyle.label}
      data-run={lineStyle.name}
    >
      <Caption lineStyle={lineStyle} step={value?.step ?? null} wall={value?.wall} wanted={step} />
      {fault && <span className={style.fault}>{fault}</span>}
      {shown && !fault && shown.images.length === 0 && (
        <span className={style.fault}>{say(shown.count > 0 ? "images.none" : "images.empty")}</span>
      )}
      {!shown && !fault && <span className={style.waiting} style={{ height: placePx }} />}
      <div className={style.samples}>
        {described &&
          value &&
          shown?.images.map((info, at) => (
            <ImageCell
              // biome-ignore lint/suspicious/noArrayIndexKey: images of a step are told apart by their number
              key={at}
              name={described.nameOf(at)}
              info={info}
              fit={fitOf(info)}
              label={lineStyle.label}
              step={value.step}
              several={shown.count > 1}
              onOpen={() => onOpen(run, described.nameOf(at).sample)}
            />
          ))}
      </div>
    </section>
  );
}

interface SamplePagerProps {
  first: number;
  /** The maximum number of images of a value. */
  total: number;
  onChange(first: number): void;
}

function SamplePager({ first, total, onChange }: SamplePagerProps) {
  const say = useWords();
  if (total <= SAMPLES_AT_ONCE) return null;
  const last = Math.min(total, first + SAMPLES_AT_ONCE);
  return (
    <span className={style.pager}>
      <Button
        variant="quiet"
        size="small"
        icon="left"
        label={say("images.previousImages")}
        disabled={first === 0}
        onClick={() => onChange(Math.max(0, first - SAMPLES_AT_ONCE))}
      />
      <span>{say("images.ofMany", { from: count(first + 1), to: count(last), count: count(total) })}</span>
      <Button
        variant="quiet"
        size="small"
        icon="right"
        label={say("images.nextImages")}
        disabled={last >= total}
        onClick={() => onChange(first + SAMPLES_AT_ONCE)}
      />
    </span>
  );
}
