/** The audio player of the page. Switching to another run keeps the position, so that two can be compared by ear. */

import { create } from "zustand";

/** A clip by its position on the page; at another step it has another URL. */
export interface Playback {
  /** Tag, run and number of the clip. */
  id: string;
  url: string;
  /** Its description: run, tag and label. */
  name: string;
}

interface Player {
  playback: Playback | null;
  playing: boolean;
  /** Seconds from the beginning. */
  time: number;
  /** Seconds; 0 while unknown. */
  duration: number;
  loop: boolean;
  /** 0 to 1. */
  volume: number;
  /** The browser cannot play the clip. */
  failed: boolean;
}

export const usePlayer = create<Player>()(() => ({
  playback: null,
  playing: false,
  time: 0,
  duration: 0,
  loop: false,
  volume: 1,
  failed: false,
}));

const set = usePlayer.setState;
const get = usePlayer.getState;

/** The clips on the page, by id. */
const clips = new Map<string, Playback>();

/** Registers a clip of the page; returns a function that removes it. */
export function registerClip(playback: Playback): () => void {
  clips.set(playback.id, playback);
  return () => {
    if (clips.get(playback.id) === playback) clips.delete(playback.id);
  };
}

export function clipById(id: string): Playback | undefined {
  return clips.get(id);
}

let audioElement: HTMLAudioElement | null = null;
/** Position to resume at once the new clip has loaded. */
let resumeAt = 0;

function element(): HTMLAudioElement {
  if (audioElement) return audioElement;
  const audio = new Audio();
  audio.preload = "auto";
  audio.addEventListener("loadedmetadata", () => {
    const duration = Number.isFinite(audio.duration) ? audio.duration : 0;
    audio.currentTime = Math.min(resumeAt, duration);
    set({ duration, time: audio.currentTime, failed: false });
  });
  audio.addEventListener("play", () => {
    set({ playing: true });
    trackTime();
  });
  audio.addEventListener("pause", () => set({ playing: false, time: audio.currentTime }));
  audio.addEventListener("ended", () => set({ playing: false, time: audio.currentTime }));
  audio.addEventListener("seeked", () => set({ time: audio.currentTime }));
  audio.addEventListener("error", () => {
    if (get().playback) set({ failed: true, playing: false });
  });
  audioElement = audio;
  return audio;
}

/** Updates the position on every frame. */
function trackTime(): void {
  requestAnimationFrame(() => {
    if (!get().playing) return;
    set({ time: element().currentTime });
    trackTime();
  });
}

/** Selects a clip, at `time` seconds or the current position; keeps playing if it was. */
export function selectClip(playback: Playback, time?: number): void {
  const before = get();
  if (before.playback?.url === playback.url) {
    if (time !== undefined) seek(time);
    return;
  }
  resumeAt = time ?? before.time;
  const audio = element();
  set({ playback, failed: false, duration: 0, time: resumeAt });
  audio.src = playback.url;
  if (before.playing) start();
}

/** Plays or pauses the current clip. */
export function toggle(): boolean {
  const { playback, playing } = get();
  if (!playback) return false;
  if (playing) element().pause();
  else start();
  return true;
}

/** Plays a clip, or pauses it if it is playing. */
export function togglePlay(playback: Playback): void {
  const same = get().playback?.id === playback.id;
  if (!same) selectClip(playback);
  if (!same && get().playing) return;
  toggle();
}

function start(): void {
  const { time, duration } = get();
  const audio = element();
  // Starts over if it is at the end.
  if (duration > 0 && time >= duration - 0.01) audio.currentTime = 0;
  audio.play().catch((fault: unknown) => {
    // Selecting another clip interrupts the previous one.
    if (!(fault instanceof DOMException && fault.name === "AbortError")) set({ playing: false });
  });
}

export function seek(time: number): void {
  const { duration } = get();
  const to = Math.max(0, duration > 0 ? Math.min(duration, time) : time);
  resumeAt = to;
  set({ time: to });
  if (audioElement && audioElement.readyState > 0) audioElement.currentTime = to;
}

export function setLoop(loop: boolean): void {
  element().loop = loop;
  set({ loop });
}

export function setVolume(volume: number): void {
  element().volume = volume;
  set({ volume });
}

/** Stops playback when the page is left. */
export function stopPlayback(): void {
  if (!audioElement) return;
  audioElement.pause();
  audioElement.removeAttribute("src");
  audioElement.load();
  set({ playback: null, playing: false, time: 0, duration: 0, failed: false });
}
