/**
 * The one player of the page: what is heard, where it stands, and how it goes on. Who changes the run keeps the place,
 * so that two can be told apart by ear.
 */

import { create } from "zustand";

/** A clip by its place on the page; another step is the same place with another address. */
export interface Heard {
  /** Tag, run and number of the clip. */
  id: string;
  url: string;
  /** Said of it: run, tag and label. */
  name: string;
}

interface Player {
  heard: Heard | null;
  playing: boolean;
  /** Seconds from the beginning. */
  time: number;
  /** Seconds; 0 while nothing is known. */
  duration: number;
  loop: boolean;
  /** 0 to 1. */
  volume: number;
  /** The browser cannot play what is heard. */
  failed: boolean;
}

export const usePlayer = create<Player>()(() => ({
  heard: null,
  playing: false,
  time: 0,
  duration: 0,
  loop: false,
  volume: 1,
  failed: false,
}));

const set = usePlayer.setState;
const get = usePlayer.getState;

/** The clips that stand on the page, by id. */
const placed = new Map<string, Heard>();

/** Says that a clip stands on the page; the answer takes that back. */
export function place(heard: Heard): () => void {
  placed.set(heard.id, heard);
  return () => {
    if (placed.get(heard.id) === heard) placed.delete(heard.id);
  };
}

export function placedAs(id: string): Heard | undefined {
  return placed.get(id);
}

let made: HTMLAudioElement | null = null;
/** Where to go on once the new clip is there. */
let kept = 0;

function element(): HTMLAudioElement {
  if (made) return made;
  const audio = new Audio();
  audio.preload = "auto";
  audio.addEventListener("loadedmetadata", () => {
    const duration = Number.isFinite(audio.duration) ? audio.duration : 0;
    audio.currentTime = Math.min(kept, duration);
    set({ duration, time: audio.currentTime, failed: false });
  });
  audio.addEventListener("play", () => {
    set({ playing: true });
    follow();
  });
  audio.addEventListener("pause", () => set({ playing: false, time: audio.currentTime }));
  audio.addEventListener("ended", () => set({ playing: false, time: audio.currentTime }));
  audio.addEventListener("seeked", () => set({ time: audio.currentTime }));
  audio.addEventListener("error", () => {
    if (get().heard) set({ failed: true, playing: false });
  });
  made = audio;
  return audio;
}

/** Tells the place with every frame that is drawn. */
function follow(): void {
  requestAnimationFrame(() => {
    if (!get().playing) return;
    set({ time: element().currentTime });
    follow();
  });
}

/** Takes up a clip, at `time` seconds or where the one before stood; goes on playing if it was. */
export function hear(heard: Heard, time?: number): void {
  const before = get();
  if (before.heard?.url === heard.url) {
    if (time !== undefined) seek(time);
    return;
  }
  kept = time ?? before.time;
  const audio = element();
  set({ heard, failed: false, duration: 0, time: kept });
  audio.src = heard.url;
  if (before.playing) start();
}

/** Plays or pauses what is heard. */
export function toggle(): boolean {
  const { heard, playing } = get();
  if (!heard) return false;
  if (playing) element().pause();
  else start();
  return true;
}

/** Plays a clip, or pauses it if it is the one that plays. */
export function togglePlay(heard: Heard): void {
  const same = get().heard?.id === heard.id;
  if (!same) hear(heard);
  if (!same && get().playing) return;
  toggle();
}

function start(): void {
  const { time, duration } = get();
  const audio = element();
  // From the beginning when it stands at the end.
  if (duration > 0 && time >= duration - 0.01) audio.currentTime = 0;
  audio.play().catch((fault: unknown) => {
    // Taking up another clip breaks off the one before.
    if (!(fault instanceof DOMException && fault.name === "AbortError")) set({ playing: false });
  });
}

export function seek(time: number): void {
  const { duration } = get();
  const to = Math.max(0, duration > 0 ? Math.min(duration, time) : time);
  kept = to;
  set({ time: to });
  if (made && made.readyState > 0) made.currentTime = to;
}

export function setLoop(loop: boolean): void {
  element().loop = loop;
  set({ loop });
}

export function setVolume(volume: number): void {
  element().volume = volume;
  set({ volume });
}

/** Silence: the page is left. */
export function leave(): void {
  if (!made) return;
  made.pause();
  made.removeAttribute("src");
  made.load();
  set({ heard: null, playing: false, time: 0, duration: 0, failed: false });
}
