/** One clip of one run: its waveform in the colour of the run, the playback position, and its details. */

import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { type ClipInfo, clipUrl, fetchPeaks, type SoundName } from "../../api/audio";
import { bytes, whenText } from "../../i18n/format";
import { useWords } from "../../i18n/words";
import { formatStep } from "../../lib/number";
import { Button } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { Markdown } from "../../ui/markdown";
import { WrappedName } from "../../ui/run-name";
import { Swatch } from "../../ui/swatch";
import { colorOf, dashOf, type LineStyle } from "../runs/line-styles";
import { useColorScheme } from "../view/theme";
import style from "./clip-row.module.css";
import { channelText, clock, lengthOf, lengthText, rateText } from "./clip-text";
import { clipById, type Playback, registerClip, seek, selectClip, togglePlay, usePlayer } from "./player";
import { drawWaveform } from "./waveform";

/** Number of columns requested; narrower waveforms combine them. */
const PEAK_PX = 1200;
/** Seconds that an arrow key moves, and with Shift. */
const ARROW_SECS = 0.5;
const SHIFT_ARROW_SECS = 5;

interface ClipRowProps {
  tag: string;
  name: SoundName;
  lineStyle: LineStyle;
  step: number;
  wall: number | string;
  /** The requested step, if the value is of another. */
  wanted: number | null;
  sample: number;
  /** The value has several clips. */
  several: boolean;
  clip: ClipInfo;
}

export function ClipRow({ tag, name, lineStyle, step, wall, wanted, sample, several, clip }: ClipRowProps) {
  const say = useWords();
  const scheme = useColorScheme();
  const id = `${lineStyle.id} ${sample} ${tag}`;
  const label = clip.label || (several ? say("audio.clip", { number: sample + 1 }) : "");
  const words = [lineStyle.label, tag, label].filter((part) => part !== "").join(" · ");
  const playback: Playback = { id, url: clipUrl(name, sample), name: words };
  const current = usePlayer((player) => player.playback?.id === id);
  const playing = usePlayer((player) => player.playing && player.playback?.id === id);
  useEffect(() => {
    const placed = { id, url: playback.url, name: words };
    // The step changed: the same clip now has other audio.
    if (current) selectClip(placed);
    return registerClip(placed);
  }, [current, id, playback.url, words]);
  const length = lengthOf(clip);
  const exact = wanted === null || wanted === step;
  return (
    <div
      className={style.row}
      data-clip={id}
      data-run={lineStyle.name}
      data-current={current}
      data-step={step}
    >
      <div className={style.said}>
        <div className={style.words}>
          <span className={style.run}>
            <Swatch color={colorOf(lineStyle, scheme)} dash={dashOf(lineStyle)} />
            <WrappedName name={lineStyle.label} title={lineStyle.name} />
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
            {say("tip.step", { step: (exact ? "" : "≈\u2009") + formatStep(step) })}
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
          variant={current ? "primary" : "plain"}
          icon={playing ? "pause" : "play"}
          label={say(playing ? "audio.pause" : "audio.playName", { name: words })}
          aria-pressed={playing}
          onClick={() => togglePlay(playback)}
        />
        <Wave
          name={name}
          sample={sample}
          playback={playback}
          clip={clip}
          color={colorOf(lineStyle, scheme)}
          line={scheme}
          label={say("audio.wave", { name: words })}
        />
      </div>
    </div>
  );
}

interface WaveProps {
  name: SoundName;
  sample: number;
  playback: Playback;
  clip: ClipInfo;
  color: string;
  /** Changes with the theme, so that the waveform is redrawn. */
  line: string;
  label: string;
}

function Wave({ name, sample, playback, clip, color, line, label }: WaveProps) {
  const say = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const length = lengthOf(clip);
  const { data, error } = useQuery({
    queryKey: ["peaks", name.run, name.tag, name.at, sample],
    queryFn: ({ signal }) => fetchPeaks(name, sample, PEAK_PX, signal),
    enabled: clip.trouble === "",
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme has colours of its own for the line
  useEffect(() => {
    const sheet = canvas.current!;
    if (!data) return;
    const silent = getComputedStyle(sheet).getPropertyValue("--line-strong");
    const draw = () => drawWaveform(sheet, data, color, silent);
    const observer = new ResizeObserver(draw);
    observer.observe(sheet);
    return () => observer.disconnect();
  }, [data, color, line]);
  useEffect(() => {
    const show = ({ time, playback: now, duration }: ReturnType<typeof usePlayer.getState>) => {
      const whole = length ?? (now?.id === playback.id ? duration : 0);
      const share = now && whole > 0 && time <= whole ? time / whole : -1;
      head.current!.hidden = share < 0;
      head.current!.style.insetInlineStart = `${share * 100}%`;
      box.current!.setAttribute("aria-valuenow", String(Math.round(time)));
      box.current!.setAttribute("aria-valuetext", `${clock(time)} / ${clock(whole)}`);
    };
    show(usePlayer.getState());
    return usePlayer.subscribe(show);
  }, [length, playback.id]);
  const whole = () => length ?? usePlayer.getState().duration;
  const seekTo = (event: PointerEvent) => {
    const { left, width } = box.current!.getBoundingClientRect();
    selectClip(playback, Math.max(0, Math.min(1, (event.clientX - left) / width)) * whole());
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
        seekTo(event);
      }}
      onPointerMove={(event) => event.currentTarget.hasPointerCapture(event.pointerId) && seekTo(event)}
      onKeyDown={(event) => handleKey(event, playback, whole())}
    >
      <canvas ref={canvas} className={style.canvas} hidden={trouble !== ""} />
      {trouble !== "" && <span className={style.trouble}>{say("audio.noWave", { why: trouble })}</span>}
      <div ref={head} className={style.head} hidden />
    </div>
  );
}

/** Left and right move within the clip, up and down to the next clip at the same position, Enter plays. */
function handleKey(event: KeyboardEvent<HTMLElement>, playback: Playback, whole: number): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { time } = usePlayer.getState();
  const by = event.shiftKey ? SHIFT_ARROW_SECS : ARROW_SECS;
  const to: Record<string, number> = { ArrowLeft: time - by, ArrowRight: time + by, Home: 0, End: whole };
  const goal = to[event.key];
  if (goal !== undefined) {
    selectClip(playback);
    seek(Math.min(whole, Math.max(0, goal)));
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    focusNeighbour(event.currentTarget, event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter") togglePlay(playback);
  else return;
  event.preventDefault();
}

/** Focuses the waveform above or below and continues there at the same position. */
function focusNeighbour(from: HTMLElement, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('[data-clip] [role="slider"]')];
  const next = all[all.indexOf(from) + by];
  const playback = next && clipById(next.closest<HTMLElement>("[data-clip]")!.dataset.clip!);
  if (!playback) return;
  selectClip(playback);
  next.focus();
}
