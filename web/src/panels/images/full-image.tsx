/**
 * One image over the whole window, and every other of its tag by keys: left and right go to the steps of the run, up and
 * down to the other runs, Page keys to the other images of the step.
 */

import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { type ImageInfo, imageUrl } from "../../api/images";
import { formatStep } from "../../base/number";
import { Title } from "../../panel/card";
import type { TagInfo } from "../../state/lists";
import { setStep } from "../../state/steps";
import { change, useView } from "../../state/view";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icon";
import { bytes } from "../../words/format";
import { useWords } from "../../words/words";
import { useBox } from "./box";
import { Caption } from "./caption";
import { useDescribed } from "./described";
import { fitted, isHuge, scaled } from "./fit";
import style from "./full-image.module.css";
import { nameOf } from "./image-cell";
import { filterOf } from "./light";
import { Loupe, type Spot, spotIn } from "./loupe";
import { Picture, useAhead } from "./picture";
import { type ImageSeries, valueIn, valueNear } from "./series";

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
  const [spot, setSpot] = useState<Spot | null>(null);
  const trueSize = useView((view) => view.trueSize);
  const filter = useView(filterOf);
  const images = list.find((each) => each.run === runName) ?? list[0]!;
  const value = valueNear(images, step);
  const { described, error } = useDescribed(tag.tag, images.run, value?.at ?? null, sample);
  const count = described?.found.count ?? 0;
  const info = described?.found.images[0];
  const next = value && valueIn(images, value.place + 1);
  const before = value && valueIn(images, value.place - 1);
  const name = described?.nameOf(0) ?? { run: images.run, tag: tag.tag, at: value?.at ?? "", sample };
  const beside = { run: images.run, tag: tag.tag, sample };
  useAhead(
    [before, next].flatMap((each) =>
      each && info && !isHuge(info) ? [imageUrl({ ...beside, at: each.at })] : [],
    ),
  );
  useFocus(box);
  const label = value ? nameOf(say, name, images.look.label, value.step, count > 1) : tag.tag;
  const goRun = (by: number) => {
    const at = list.indexOf(images) + by;
    setRun(list[(at + list.length) % list.length]!.run);
  };
  const goStep = (to: { step: number } | undefined) => to && setStep(to.step);
  const goSample = (by: number) =>
    setSample((was) => Math.min(Math.max(0, count - 1), Math.max(0, was + by)));
  const act = (key: string): void => {
    if (key === "Escape" || key === "f") onClose();
    else if (key === "ArrowLeft") goStep(before);
    else if (key === "ArrowRight") goStep(next);
    else if (key === "Home") goStep(valueIn(images, 0));
    else if (key === "End") goStep(valueIn(images, images.series.keys.length - 1));
    else if (key === "ArrowUp" || key === "ArrowDown") goRun(key === "ArrowUp" ? -1 : 1);
    else if (key === "PageUp" || key === "PageDown") goSample(key === "PageUp" ? -1 : 1);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "Tab") return keepInside(event);
    const key = event.code === "KeyF" ? "f" : event.key;
    if (!KEYS.has(key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act(key);
  };
  const point = (event: PointerEvent<HTMLElement>) =>
    setSpot(image?.isConnected ? spotIn(event, image, image) : null);
  const inside = { width: Math.max(64, size.width - EDGE_PX), height: Math.max(64, size.height - EDGE_PX) };
  const fit = info && (trueSize && info.width > 0 ? scaled(info, 1) : fitted(info, inside));
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
          <Caption look={images.look} step={value?.step ?? null} wall={value?.wall} wanted={step} />
        </span>
        {info && <Facts info={info} />}
        <span className={style.grow} />
        <Button aria-pressed={trueSize} onClick={() => change({ trueSize: !trueSize })}>
          {say("images.actual")}
        </Button>
        {info && <Save url={imageUrl(name, true)} label={say("images.save", { image: label })} />}
        <Button look="quiet" icon="close" label={`${say("action.close")} (Esc)`} onClick={onClose} />
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
        run={list.length > 1 ? images.look.label : null}
        onRun={goRun}
        sample={sample}
        count={count}
        onSample={goSample}
      />
      {spot && image?.isConnected && <Loupe images={[image]} spot={spot} />}
    </div>,
    document.body,
  );
}

/** Size in pixels and bytes. */
function Facts({ info }: { info: ImageInfo }) {
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

type Way = (() => void) | undefined;

interface FootProps {
  step: number | undefined;
  onStep: readonly [before: Way, after: Way];
  /** Null where there is only one. */
  run: string | null;
  onRun(by: number): void;
  sample: number;
  count: number;
  onSample(by: number): void;
}

/** Where one can go from here. */
function Foot({ step, onStep, run, onRun, sample, count, onSample }: FootProps) {
  const say = useWords();
  return (
    <footer className={style.foot}>
      <Pair
        before={say("images.previousStep")}
        after={say("images.nextStep")}
        text={step === undefined ? "–" : `${say("step.label")} ${formatStep(step)}`}
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
  onBefore: Way;
  onAfter: Way;
}

function Pair({ before, after, text, onBefore, onAfter }: PairProps) {
  return (
    <span className={style.pair}>
      <Button look="quiet" icon="left" label={before} disabled={!onBefore} onClick={onBefore} />
      <bdi>{text}</bdi>
      <Button look="quiet" icon="right" label={after} disabled={!onAfter} onClick={onAfter} />
    </span>
  );
}

/** The keyboard comes in, and goes back where it was. */
function useFocus(element: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const before = document.activeElement;
    element.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [element]);
}

/** The keyboard stays in the dialog while it is open. */
function keepInside(event: KeyboardEvent): void {
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("button:enabled, a[href]")];
  const [first, last] = [stops[0], stops.at(-1)];
  const at = document.activeElement;
  const wraps = event.shiftKey ? at === first || at === event.currentTarget : at === last;
  if (!wraps) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
