/** One clip of one run: its wave in the colour of the run, the place that is heard, what is known of it. */

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { askPeaks, type ClipInfo, clipUrl, type SoundName } from "../../api/audio";
import { formatStep } from "../../base/number";
import { colorOf, dashOf, type RunLook } from "../../state/looks";
import { useShade } from "../../state/theme";
import { Button } from "../../widgets/button";
import { Icon } from "../../widgets/icon";
import { Markdown } from "../../widgets/markdown";
import { WrappedName } from "../../widgets/run-name";
import { Swatch } from "../../widgets/swatch";
import { bytes, whenText } from "../../words/format";
import { useWords } from "../../words/words";
import style from "./clip-row.module.css";
import { drawOutline } from "./outline";
import { type Heard, hear, place, placedAs, seek, togglePlay, usePlayer } from "./player";
import { channelText, clock, lengthOf, lengthText, rateText } from "./words";

/** Columns asked for, whatever the width: drawn narrower they are put together. */
const PEAK_PX = 1200;
/** Seconds that an arrow key moves, and with Shift. */
const ARROW_SECS = 0.5;
const SHIFT_ARROW_SECS = 5;

interface ClipRowProps {
  tag: string;
  name: SoundName;
  look: RunLook;
  step: number;
  wall: number | string;
  /** The step asked for, where the value is of another. */
  wanted: number | null;
  sample: number;
  /** There are several in the value. */
  several: boolean;
  clip: ClipInfo;
}

export function ClipRow({ tag, name, look, step, wall, wanted, sample, several, clip }: ClipRowProps) {
  const say = useWords();
  const shade = useShade();
  const id = `${look.id} ${sample} ${tag}`;
  const label = clip.label || (several ? say("audio.clip", { number: sample + 1 }) : "");
  const words = [look.label, tag, label].filter((part) => part !== "").join(" · ");
  const heard: Heard = { id, url: clipUrl(name, sample), name: words };
  const current = usePlayer((player) => player.heard?.id === id);
  const playing = usePlayer((player) => player.playing && player.heard?.id === id);
  useEffect(() => {
    const placed = { id, url: heard.url, name: words };
    // The step has moved: the same place of the page is another clip now.
    if (current) hear(placed);
    return place(placed);
  }, [current, id, heard.url, words]);
  const length = lengthOf(clip);
  const exact = wanted === null || wanted === step;
  return (
    <div className={style.row} data-clip={id} data-run={look.name} data-current={current} data-step={step}>
      <div className={style.said}>
        <div className={style.words}>
          <span className={style.run}>
            <Swatch color={colorOf(look, shade)} dash={dashOf(look)} />
            <WrappedName name={look.label} title={look.name} />
          </span>
          {label !== "" && (
            <div className={style.label}>
              <Markdown source={label} />
            </div>
          )}
          <span
            className={style.facts}
            title={whenText(wall, exact ? "" : say("audio.near", { step: formatStep(wanted) }))}
          >
            {say("step.label")} {exact ? "" : "≈ "}
            {formatStep(step)}
          </span>
          {length !== null && <span className={style.facts}>{lengthText(length)}</span>}
          {clip.rate !== null && <span className={style.facts}>{rateText(clip.rate)}</span>}
          {clip.channels !== null && <span className={style.facts}>{channelText(clip.channels, say)}</span>}
        </div>
        <a
          className={style.get}
          href={clipUrl(name, sample, true)}
          download
          aria-label={`${bytes(clip.size)} · ${say("audio.download", { name: words })}`}
          title={say("audio.download", { name: words })}
        >
          {bytes(clip.size)}
          <Icon name="download" size={14} />
        </a>
      </div>
      <div className={style.line}>
        <Button
          look={current ? "primary" : "plain"}
          icon={playing ? "pause" : "play"}
          label={say(playing ? "audio.pause" : "audio.playName", { name: words })}
          aria-pressed={playing}
          onClick={() => togglePlay(heard)}
        />
        <Wave
          name={name}
          sample={sample}
          heard={heard}
          clip={clip}
          color={colorOf(look, shade)}
          line={shade}
          label={say("audio.wave", { name: words })}
        />
      </div>
    </div>
  );
}

interface WaveProps {
  name: SoundName;
  sample: number;
  heard: Heard;
  clip: ClipInfo;
  color: string;
  /** Drawn anew when the theme changes. */
  line: string;
  label: string;
}

function Wave({ name, sample, heard, clip, color, line, label }: WaveProps) {
  const say = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const length = lengthOf(clip);
  const { data, error } = useQuery({
    queryKey: ["peaks", name.run, name.tag, name.at, sample],
    queryFn: ({ signal }) => askPeaks(name, sample, PEAK_PX, signal),
    enabled: clip.trouble === "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme has colours of its own for the line
  useEffect(() => {
    const sheet = canvas.current!;
    if (!data) return;
    const silent = getComputedStyle(sheet).getPropertyValue("--line-strong");
    const draw = () => drawOutline(sheet, data, color, silent);
    const observer = new ResizeObserver(draw);
    observer.observe(sheet);
    return () => observer.disconnect();
  }, [data, color, line]);
  useEffect(() => {
    const show = ({ time, heard: now, duration }: ReturnType<typeof usePlayer.getState>) => {
      const whole = length ?? (now?.id === heard.id ? duration : 0);
      const share = now && whole > 0 && time <= whole ? time / whole : -1;
      head.current!.hidden = share < 0;
      head.current!.style.insetInlineStart = `${share * 100}%`;
      box.current!.setAttribute("aria-valuenow", String(Math.round(time)));
      box.current!.setAttribute("aria-valuetext", `${clock(time)} / ${clock(whole)}`);
    };
    show(usePlayer.getState());
    return usePlayer.subscribe(show);
  }, [length, heard.id]);
  const whole = () => length ?? usePlayer.getState().duration;
  const put = (event: PointerEvent) => {
    const { left, width } = box.current!.getBoundingClientRect();
    hear(heard, Math.max(0, Math.min(1, (event.clientX - left) / width)) * whole());
  };
  const trouble = clip.trouble || (error ? error.message : "");
  return (
    <div
      ref={box}
      className={style.wave}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.ceil(length ?? 0)}
      aria-valuenow={0}
      data-wave={trouble !== "" ? "none" : data ? "drawn" : "loading"}
      data-lanes={data?.low.length}
      title={data && !data.exact ? say("audio.sketch") : undefined}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        put(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && put(event)}
      onKeyDown={(event) => steer(event, heard, whole())}
    >
      <canvas ref={canvas} className={style.canvas} hidden={trouble !== ""} />
      {trouble !== "" && <span className={style.trouble}>{say("audio.noWave", { why: trouble })}</span>}
      <div ref={head} className={style.head} hidden />
    </div>
  );
}

/** Arrows move within the clip, Up and Down to the clip above or below at the same place, Enter plays. */
function steer(event: KeyboardEvent<HTMLElement>, heard: Heard, whole: number): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { time } = usePlayer.getState();
  const by = event.shiftKey ? SHIFT_ARROW_SECS : ARROW_SECS;
  const to: Record<string, number> = { ArrowLeft: time - by, ArrowRight: time + by, Home: 0, End: whole };
  const goal = to[event.key];
  if (goal !== undefined) {
    hear(heard);
    seek(Math.min(whole, Math.max(0, goal)));
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    takeUpNeighbour(event.currentTarget, event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") togglePlay(heard);
  else return;
  event.preventDefault();
}

/** The wave above or below gets the keyboard and is heard from the same place on. */
function takeUpNeighbour(from: HTMLElement, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-clip] [role="slider"]')];
  const next = all[all.indexOf(from) + by];
  const heard = next && placedAs(next.closest<HTMLElement>("[data-clip]")!.dataset.clip!);
  if (!heard) return;
  hear(heard);
  next.focus();
}
