/** Two images on one place: an edge to be dragged, one after the other, their difference, or next to each other. */

import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from "react";
import { formatValue } from "../../base/number";
import { useView } from "../../state/view";
import type { ImageBlend } from "../../state/viewstate";
import { Button } from "../../widgets/button";
import { Select } from "../../widgets/select";
import { useWords } from "../../words/words";
import { useBox } from "./box";
import type { Shown } from "./compare";
import { type Fitted, fitted, SIZE_PX, scaled } from "./fit";
import { Loupe, type Spot, spotIn } from "./loupe";
import { Picture } from "./picture";
import { type Apart, imagesApart } from "./pixels";
import style from "./stage.module.css";

interface StageProps {
  blend: ImageBlend;
  left: Shown;
  right: Shown;
}

/** A comparison is looked at more closely than an image of the grid. */
const GROWN = 2.5;
/** Less than the window, so that what is compared is seen at once. */
const SHARE_OF_WINDOW = 0.62;
const BLINK_MS = 600;
const GAINS = [1, 4, 16];

export function Stage({ blend, left, right }: StageProps) {
  const say = useWords();
  const box = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const { width } = useBox(box);
  const [edge, setEdge] = useState(0.5);
  const [gain, setGain] = useState(1);
  const [spot, setSpot] = useState<Spot | null>(null);
  const images = useRef<(HTMLImageElement | null)[]>([null, null]);
  const [decoded, setDecoded] = useState(0);
  const fit = useStageFit(left, width, blend === "side");
  const blink = useBlink(blend === "blink");
  const seen = useCallback((at: 0 | 1, image: HTMLImageElement) => {
    images.current[at] = image;
    setDecoded((turn) => turn + 1);
  }, []);
  const both = images.current.filter((image): image is HTMLImageElement => image?.isConnected === true);
  const point = (event: PointerEvent<HTMLElement>) => {
    const layer = (event.target as HTMLElement).closest<HTMLElement>("[data-layer]") ?? stage.current!;
    if (blend === "wipe" && event.buttons === 1) {
      const { left: from, width: wide } = layer.getBoundingClientRect();
      setEdge(Math.min(1, Math.max(0, (event.clientX - from) / wide)));
    }
    setSpot(both[0] ? spotIn(event, layer, both[0]) : null);
  };
  const fault = left.fault || right.fault;
  return (
    <div ref={box} className={style.box}>
      {fault && <p className={style.fault}>{fault}</p>}
      {width > 0 && !fault && left.info && right.info && (
        <div className={style.scroll}>
          <div
            ref={stage}
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
            onKeyDown={(event) => steer(event, both[0], setSpot)}
          >
            <Layer side="left" shown={left} fit={fit} onDecoded={(image) => seen(0, image)} />
            <Layer
              side="right"
              shown={right}
              fit={fit}
              from={blend === "wipe" ? edge : 0}
              onDecoded={(image) => seen(1, image)}
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
        {both.length === 2 && <Distance first={both[0]!} second={both[1]!} turn={decoded} />}
        <span className={style.hint}>{say("images.loupe")}</span>
      </div>
      {spot && both.length > 0 && <Loupe images={both} spot={spot} />}
    </div>
  );
}

interface LayerProps {
  side: "left" | "right";
  shown: Shown;
  fit: Fitted;
  /** What lies left of it is cut away: a share of the width. */
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

/** How large both are drawn: as the left one fits, so that pixels lie on pixels. */
function useStageFit({ info }: Shown, width: number, side: boolean): Fitted {
  const size = useView((view) => view.imageSize);
  const trueSize = useView((view) => view.trueSize);
  const most = side ? width / 2 - 8 : width;
  const box = {
    width: Math.max(64, Math.min(most, SIZE_PX[size] * GROWN)),
    height: Math.max(160, innerHeight * SHARE_OF_WINDOW),
  };
  if (!info || info.width === 0 || info.height === 0)
    return { width: box.width, height: box.width, pixelated: false };
  return trueSize ? scaled(info, 1) : fitted(info, box);
}

/** Turns from one image to the other and back, slowly enough for every eye; stands where motion is not wanted. */
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
    // Where it stands still a press shows the other one.
    if (calm || still) setSecond((was) => !was);
    else setOn((was) => !was);
  };
  return { on, second: enabled && second, toggle };
}

/** The edge between the two: dragged, or moved by arrow keys. */
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

/** The distance of the two in figures. */
function Distance({
  first,
  second,
  turn,
}: {
  first: HTMLImageElement;
  second: HTMLImageElement;
  turn: number;
}) {
  const say = useWords();
  const [found, setFound] = useState<Apart | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same elements show other images in time
  useEffect(() => {
    const timer = setTimeout(() => setFound(imagesApart(first, second)), 50);
    return () => clearTimeout(timer);
  }, [first, second, turn]);
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

/** Arrow keys go from pixel to pixel, with Shift ten at a time; Esc puts the loupe away. */
function steer(
  event: KeyboardEvent,
  image: HTMLImageElement | undefined,
  put: (change: (was: Spot | null) => Spot | null) => void,
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
