/** Audio: the clips of a value, their URLs, and their waveforms. */

import { getJson, mediaUrl } from "./client";
import type { ClipInfo, ClipPeaks, Clips } from "./schema.gen";
import type { ValueName } from "./values";

export type { ClipInfo, ClipPeaks };

/** The name of a value without its kind. */
export type SoundName = Omit<ValueName, "plugin">;

export const fetchClips = ({ run, tag, at }: SoundName, signal?: AbortSignal) =>
  getJson<Clips>(`audio/clips?${new URLSearchParams({ run, tag, at })}`, signal);

export const fetchPeaks = ({ run, tag, at }: SoundName, sample: number, px: number, signal?: AbortSignal) =>
  getJson<ClipPeaks>(
    `audio/peaks?${new URLSearchParams({ run, tag, at, sample: String(sample), px: String(px) })}`,
    signal,
  );

/** URL of a clip; `save` makes the browser download it. */
export function clipUrl({ run, tag, at }: SoundName, sample: number, save = false): string {
  const name = new URLSearchParams({ run, tag, at, sample: String(sample) });
  if (save) name.set("save", "true");
  return mediaUrl("audio/data", name);
}
