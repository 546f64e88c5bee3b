/** Runs beside each other at one step; several images of a step as a sheet, the same for every run. */

import { useEffect, useRef, useState } from "react";
import type { ImageInfo } from "../../api/images";
import { useView } from "../../state/view";
import { Near } from "../../widgets/near";
import { useWords } from "../../words/words";
import { useBox } from "./box";
import { Caption } from "./caption";
import { SAMPLES_AT_ONCE, useDescribed } from "./described";
import { type Fitted, fitted, placePxOf, SIZE_PX, scaled, sharedPx } from "./fit";
import style from "./grid.module.css";
import { ImageCell } from "./image-cell";
import { SamplePager } from "./sample-pager";
import { type ImageSeries, valueNear } from "./series";

interface GridProps {
  tag: string;
  list: readonly ImageSeries[];
  /** Null: the last of each run. */
  step: number | null;
  onOpen(run: string, sample: number): void;
}

/** An image is at most so many times as high as it is wide in its place. */
const TALLEST = 1.5;

/** How images are drawn by the choices of the page in a place of this width, which `count` of them share. */
export function useFit(placePx: number, count = 1): (info: ImageInfo) => Fitted {
  const trueSize = useView((view) => view.trueSize);
  const width = sharedPx(placePx, count);
  return (info) => {
    if (info.width === 0 || info.height === 0) return fitted(info, { width, height: width });
    return trueSize ? scaled(info, 1) : fitted(info, { width, height: width * TALLEST });
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
            <Near key={images.look.id} height={placePx} className={style.near}>
              <Run
                tag={tag}
                images={images}
                step={step}
                first={first}
                placePx={placePx}
                onTotal={tell}
                onOpen={onOpen}
              />
            </Near>
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
  /** Width it has. */
  placePx: number;
  onTotal(run: number, count: number): void;
  onOpen(run: string, sample: number): void;
}

function Run({ tag, images, step, first, placePx, onTotal, onOpen }: RunProps) {
  const say = useWords();
  const { look, run } = images;
  const value = valueNear(images, step);
  const { described, error } = useDescribed(tag, run, value?.at ?? null, first);
  const count = described?.found.count;
  const fitOf = useFit(placePx, Math.min(count ?? 1, SAMPLES_AT_ONCE));
  useEffect(() => {
    if (count !== undefined) onTotal(look.id, count);
  }, [look.id, count, onTotal]);
  const shown = described?.found;
  const fault = error?.message ?? shown?.error;
  const wide = Math.max(placePx, ...(shown?.images.map((info) => fitOf(info).width) ?? []));
  return (
    <section className={style.run} style={{ width: wide }} aria-label={look.label} data-run={look.name}>
      <Caption look={look} step={value?.step ?? null} wall={value?.wall} wanted={step} />
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
              label={look.label}
              step={value.step}
              several={shown.count > 1}
              onOpen={() => onOpen(run, described.nameOf(at).sample)}
            />
          ))}
      </div>
    </section>
  );
}
