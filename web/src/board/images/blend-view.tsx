/** Compares two images: with a draggable divider, blinking, as their difference, or side by side. */

import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from "react";
import { useWords } from "../../i18n/words";
import { formatValue } from "../../lib/number";
import { Button } from "../../ui/button";
import { Select } from "../../ui/select";
import { useView } from "../view/view";
import type { ImageBlend } from "../view/view-state";
import style from "./blend-view.module.css";
import type { ComparedImage } from "./compare-sides";
import { type DrawnSize, fitImage, SIZE_PX, scaleImage } from "./fit";
import { type MagnifiedPixel, Magnifier, magnifiedPixel } from "./magnifier";
import { Picture } from "./picture";
import { imageDifference, type PixelDifference } from "./pixels";
import { useBox } from "./use-box";

interface BlendViewProps {
  blend: ImageBlend;
  left: ComparedImage;
  right: ComparedImage;
}

/** A comparison may be enlarged more than an image in the grid. */
const GROWN = 2.5;
/** Less than the window, so that both images are visible at once. */
const SHARE_OF_WINDOW = 0.62;
const BLINK_MS = 600;
const GAINS = [1, 4, 16];

export function BlendView({ blend, left, right }: BlendViewProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const element = useRef<HTMLDivElement>(null);
  const { width } = useBox(box);
  const [edge, setEdge] = useState(0.5);
  const [gain, setGain] = useState(1);
  const [spot, setSpot] = useState<MagnifiedPixel | null>(null);
  const images = useRef<(HTMLImageElement | null)[]>([null, null]);
  const [decoded, setDecoded] = useState(0);
  const fit = useBlendFit(left, width, blend === "side");
  const blink = useBlink(blend === "blink");
  const onLoad = useCallback((at: 0 | 1, image: HTMLImageElement) => {
    images.current[at] = image;
    setDecoded((version) => version + 1);
  }, []);
  const both = images.current.filter((image): image is HTMLImageElement => image?.isConnected === true);
  const point = (event: PointerEvent<HTMLElement>) => {
    const layer = (event.target as HTMLElement).closest<HTMLElement>("[data-layer]") ?? element.current!;
    if (blend === "wipe" && event.buttons === 1) {
      const { left: from, width: wide } = layer.getBoundingClientRect();
      setEdge(Math.min(1, Math.max(0, (event.clientX - from) / wide)));
    }
    setSpot(both[0] ? magnifiedPixel(event, layer, both[0]) : null);
  };
  const fault = left.fault || right.fault;
  return (
    <div ref={box} className={style.box}>
      {fault && <p className={style.fault}>{fault}</p>}
      {width > 0 && !fault && left.info && right.info && (
        <div className={style.scroll}>
          <div
            ref={element}
            className={style.stage}
            style={{
              ...(blend === "side" ? {} : { width: fit.width, height: fit.height }),
              ...(blend === "difference" && gain > 1 ? { filter: `brightness(${gain})` } : {}),
            }}
            data-testid="stage"
            data-blend={blend}
            data-blink={blink.second || undefined}
            role="application"
            aria-label={`${left.alt} ↔ ${right.alt}. ${say("images.loupe")}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move over the pixels
            tabIndex={0}
            onPointerDown={point}
            onPointerMove={point}
            onPointerLeave={() => setSpot(null)}
            onBlur={() => setSpot(null)}
            onKeyDown={(event) => handleKey(event, both[0], setSpot)}
          >
            <Layer side="left" shown={left} fit={fit} onDecoded={(image) => onLoad(0, image)} />
            <Layer
              side="right"
              shown={right}
              fit={fit}
              from={blend === "wipe" ? edge : 0}
              onDecoded={(image) => onLoad(1, image)}
            />
            {blend === "wipe" && <Edge at={edge} onMove={setEdge} />}
          </div>
        </div>
      )}
      <div className={style.foot}>
        {blend === "blink" && (
          <Button
            size="small"
            icon={blink.on ? "stop" : "play"}
            aria-pressed={blink.on}
            onClick={blink.toggle}
          >
            {say("images.blink")}
          </Button>
        )}
        {blend === "difference" && (
          <Select
            label={say("images.gain")}
            value={String(gain)}
            options={GAINS.map((each) => ({ value: String(each), label: `× ${each}` }))}
            onChange={(text) => setGain(Number(text))}
          />
        )}
        {both.length === 2 && <Distance first={both[0]!} second={both[1]!} version={decoded} />}
        <span className={style.hint}>{say("images.loupe")}</span>
      </div>
      {spot && both.length > 0 && <Magnifier images={both} spot={spot} />}
    </div>
  );
}

interface LayerProps {
  side: "left" | "right";
  shown: ComparedImage;
  fit: DrawnSize;
  /** The share of the width that is cut off at the left. */
  from?: number;
  onDecoded(image: HTMLImageElement): void;
}

function Layer({ side, shown: { name, info, alt }, fit, from = 0, onDecoded }: LayerProps) {
  return (
    <div
      className={style.layer}
      data-layer={side}
      style={from > 0 ? { clipPath: `inset(0 0 0 ${from * 100}%)` } : undefined}
    >
      {info && <Picture name={name} info={info} fit={fit} alt={alt} onDecoded={onDecoded} />}
    </div>
  );
}

/** The size of both: that of the left one, so that pixels overlap exactly. */
function useBlendFit({ info }: ComparedImage, width: number, side: boolean): DrawnSize {
  const size = useView((view) => view.imageSize);
  const trueSize = useView((view) => view.trueSize);
  const most = side ? width / 2 - 8 : width;
  const box = {
    width: Math.max(64, Math.min(most, SIZE_PX[size] * GROWN)),
    height: Math.max(160, innerHeight * SHARE_OF_WINDOW),
  };
  if (!info || info.width === 0 || info.height === 0)
    return { width: box.width, height: box.width, pixelated: false };
  return trueSize ? scaleImage(info, 1) : fitImage(info, box);
}

/** Alternates between the images, slowly enough to be safe; stops if reduced motion is preferred. */
function useBlink(enabled: boolean) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const still = document.documentElement.dataset.still !== undefined;
  const [on, setOn] = useState(!calm && !still);
  const [second, setSecond] = useState(false);
  useEffect(() => {
    if (!enabled || !on) return;
    const timer = setInterval(() => setSecond((was) => !was), BLINK_MS);
    return () => clearInterval(timer);
  }, [enabled, on]);
  const toggle = () => {
    // If it does not blink, a press shows the other one.
    if (calm || still) setSecond((was) => !was);
    else setOn((was) => !was);
  };
  return { on, second: enabled && second, toggle };
}

/** The divider between the images, dragged or moved with arrow keys. */
function Edge({ at, onMove }: { at: number; onMove(at: number): void }) {
  const say = useWords();
  const move = (event: KeyboardEvent) => {
    const stride = event.shiftKey ? 0.1 : 0.01;
    const to: Record<string, number> = { ArrowLeft: at - stride, ArrowRight: at + stride, Home: 0, End: 1 };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onMove(Math.min(1, Math.max(0, next)));
  };
  return (
    <div
      className={style.edge}
      style={{ left: `${at * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label={say("images.wipeAt")}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(at * 100)}
      onKeyDown={move}
    />
  );
}

/** The difference of the images in numbers. */
function Distance({
  first,
  second,
  version,
}: {
  first: HTMLImageElement;
  second: HTMLImageElement;
  version: number;
}) {
  const say = useWords();
  const [found, setFound] = useState<PixelDifference | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same elements show other images in time
  useEffect(() => {
    const timer = setTimeout(() => setFound(imageDifference(first, second)), 50);
    return () => clearTimeout(timer);
  }, [first, second, version]);
  if (!found) return null;
  const words = {
    share: `${formatValue(found.share * 100, 3)} %`,
    mean: formatValue(found.mean, 3),
    most: found.most,
  };
  return (
    <span className={style.distance} data-testid="distance">
      {found.share === 0 ? say("images.differsNot") : say("images.differs", words)}
    </span>
  );
}

/** Arrow keys go from pixel to pixel, with Shift ten at a time; Esc closes the magnifier. */
function handleKey(
  event: KeyboardEvent,
  image: HTMLImageElement | undefined,
  put: (change: (was: MagnifiedPixel | null) => MagnifiedPixel | null) => void,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !image) return;
  const stride = event.shiftKey ? 10 : 1;
  const moves: Record<string, readonly [number, number]> = {
    ArrowLeft: [-stride, 0],
    ArrowRight: [stride, 0],
    ArrowUp: [0, -stride],
    ArrowDown: [0, stride],
  };
  const move = moves[event.key];
  if (event.key !== "Escape" && !move) return;
  event.preventDefault();
  event.stopPropagation();
  const [across, down] = [image.naturalWidth, image.naturalHeight];
  put((was) =>
    move
      ? {
          x: Math.min(across - 1, Math.max(0, (was?.x ?? across >> 1) + move[0])),
          y: Math.min(down - 1, Math.max(0, (was?.y ?? down >> 1) + move[1])),
          at: null,
        }
      : null,
  );
}
