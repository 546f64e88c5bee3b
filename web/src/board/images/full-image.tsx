/**
 * One image, full screen. Left and right go to other steps of the run, up and down to other runs, Page keys to other
 * images of the step.
 */

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { type ImageInfo, imageUrl } from "../../api/images";
import { bytes } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { trapFocus } from "../../ui/trap-focus";
import { Title } from "../cards/card";
import type { TagInfo } from "../data/lists";
import { setStep } from "../view/steps";
import { change, useView } from "../view/view";
import { Caption } from "./caption";
import { filterOf } from "./filter";
import { fitImage, isHuge, scaleImage } from "./fit";
import style from "./full-image.module.css";
import { nameOf } from "./image-cell";
import { useImageInfo } from "./image-info";
import { type ImageSeries, valueIn, valueNear } from "./image-series";
import { type MagnifiedPixel, Magnifier, magnifiedPixel } from "./magnifier";
import { Picture, usePrefetch } from "./picture";
import { useBox } from "./use-box";

const CONTROLS = "button:enabled, a[href]";

interface FullImageProps {
  tag: TagInfo;
  list: readonly ImageSeries[];
  step: number | null;
  run: string;
  sample: number;
  onClose(): void;
}

const EDGE_PX = 24;
const KEYS = new Set("Escape f ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown".split(" "));

export function FullImage({ tag, list, step, run, sample: firstSample, onClose }: FullImageProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const size = useBox(room);
  const [runName, setRun] = useState(run);
  const [sample, setSample] = useState(firstSample);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const [spot, setSpot] = useState<MagnifiedPixel | null>(null);
  const trueSize = useView((view) => view.trueSize);
  const filter = useView(filterOf);
  const images = list.find((each) => each.run === runName) ?? list[0]!;
  const value = valueNear(images, step);
  const { described, error } = useImageInfo(tag.tag, images.run, value?.at ?? null, sample);
  const count = described?.found.count ?? 0;
  const info = described?.found.images[0];
  const next = value && valueIn(images, value.index + 1);
  const before = value && valueIn(images, value.index - 1);
  const name = described?.nameOf(0) ?? { run: images.run, tag: tag.tag, at: value?.at ?? "", sample };
  const beside = { run: images.run, tag: tag.tag, sample };
  usePrefetch(
    [before, next].flatMap((each) =>
      each && info && !isHuge(info) ? [imageUrl({ ...beside, at: each.at })] : [],
    ),
  );
  useFocus(box);
  const label = value ? nameOf(say, name, images.lineStyle.label, value.step, count > 1) : tag.tag;
  const goRun = (by: number) => {
    const at = list.indexOf(images) + by;
    setRun(list[(at + list.length) % list.length]!.run);
  };
  const goStep = (to: { step: number } | undefined) => to && setStep(to.step);
  const goSample = (by: number) =>
    setSample((was) => Math.min(Math.max(0, count - 1), Math.max(0, was + by)));
  const handleKey = (key: string): void => {
    if (key === "Escape" || key === "f") onClose();
    else if (key === "ArrowLeft") goStep(before);
    else if (key === "ArrowRight") goStep(next);
    else if (key === "Home") goStep(valueIn(images, 0));
    else if (key === "End") goStep(valueIn(images, images.series.keys.length - 1));
    else if (key === "ArrowUp" || key === "ArrowDown") goRun(key === "ArrowUp" ? -1 : 1);
    else if (key === "PageUp" || key === "PageDown") goSample(key === "PageUp" ? -1 : 1);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Tab") return trapFocus(event, CONTROLS);
    const key = event.code === "KeyF" ? "f" : event.key;
    if (!KEYS.has(key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    handleKey(key);
  };
  const point = (event: PointerEvent<HTMLElement>) =>
    setSpot(image?.isConnected ? magnifiedPixel(event, image, image) : null);
  const inside = { width: Math.max(64, size.width - EDGE_PX), height: Math.max(64, size.height - EDGE_PX) };
  const fit = info && (trueSize && info.width > 0 ? scaleImage(info, 1) : fitImage(info, inside));
  const fault = error?.message || described?.found.error || (described && !info && say("images.none"));
  return createPortal(
    <div
      ref={box}
      role="dialog"
      aria-modal="true"
      aria-label={label}
      tabIndex={-1}
      className={style.full}
      style={{ "--image-filter": filter } as React.CSSProperties}
      data-testid="full-image"
      onKeyDown={press}
    >
      <header className={style.head}>
        <Title tag={tag.tag} displayName={tag.display_name} />
        <span className={style.caption}>
          <Caption lineStyle={images.lineStyle} step={value?.step ?? null} wall={value?.wall} wanted={step} />
        </span>
        {info && <Details info={info} />}
        <span className={style.grow} />
        <Button aria-pressed={trueSize} onClick={() => change({ trueSize: !trueSize })}>
          {say("images.actual")}
        </Button>
        {info && <Save url={imageUrl(name, true)} label={say("images.save", { image: label })} />}
        <Button variant="quiet" icon="close" label={`${say("action.close")} (Esc)`} onClick={onClose} />
      </header>
      <div
        ref={room}
        className={style.room}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setSpot(null)}
      >
        <div className={style.middle}>
          {info && fit && <Picture name={name} info={info} fit={fit} alt={label} onDecoded={setImage} />}
          {fault && <p className={style.fault}>{fault}</p>}
        </div>
      </div>
      <Foot
        step={value?.step}
        onStep={[before && (() => goStep(before)), next && (() => goStep(next))]}
        run={list.length > 1 ? images.lineStyle.label : null}
        onRun={goRun}
        sample={sample}
        count={count}
        onSample={goSample}
      />
      {spot && image?.isConnected && <Magnifier images={[image]} spot={spot} />}
    </div>,
    document.body,
  );
}

/** Size in pixels and bytes. */
function Details({ info }: { info: ImageInfo }) {
  return (
    <span className={style.facts}>
      {info.width > 0 && `${formatStep(info.width)} × ${formatStep(info.height)} · `}
      {bytes(info.size_bytes)}
    </span>
  );
}

function Save({ url, label }: { url: string; label: string }) {
  return (
    <a className={style.get} href={url} download title={label}>
      <Icon name="download" />
      <span className={style.hidden}>{label}</span>
    </a>
  );
}

type StepButton = (() => void) | undefined;

interface FootProps {
  step: number | undefined;
  onStep: readonly [before: StepButton, after: StepButton];
  /** Null where there is only one. */
  run: string | null;
  onRun(by: number): void;
  sample: number;
  count: number;
  onSample(by: number): void;
}

/** Navigation to steps, runs and images. */
function Foot({ step, onStep, run, onRun, sample, count, onSample }: FootProps) {
  const say = useWords();
  return (
    <footer className={style.foot}>
      <Pair
        before={say("images.previousStep")}
        after={say("images.nextStep")}
        text={step === undefined ? "–" : say("tip.step", { step: formatStep(step) })}
        onBefore={onStep[0]}
        onAfter={onStep[1]}
      />
      {run !== null && (
        <Pair
          before={say("images.previousRun")}
          after={say("images.nextRun")}
          text={run}
          onBefore={() => onRun(-1)}
          onAfter={() => onRun(1)}
        />
      )}
      {count > 1 && (
        <Pair
          before={say("images.previousImages")}
          after={say("images.nextImages")}
          text={say("images.sampleOf", { sample: sample + 1, count })}
          onBefore={sample > 0 ? () => onSample(-1) : undefined}
          onAfter={sample < count - 1 ? () => onSample(1) : undefined}
        />
      )}
    </footer>
  );
}

interface PairProps {
  before: string;
  after: string;
  text: string;
  onBefore: StepButton;
  onAfter: StepButton;
}

function Pair({ before, after, text, onBefore, onAfter }: PairProps) {
  return (
    <span className={style.pair}>
      <Button variant="quiet" icon="left" label={before} disabled={!onBefore} onClick={onBefore} />
      <bdi>{text}</bdi>
      <Button variant="quiet" icon="right" label={after} disabled={!onAfter} onClick={onAfter} />
    </span>
  );
}

/** Focuses the element, and restores the focus afterwards. */
function useFocus(element: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    element.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [element]);
}
