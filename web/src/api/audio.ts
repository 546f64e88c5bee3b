/** Sound: the clips of a value, where to hear one, and the outline of its wave. */

import { getJson, mediaUrl } from "./client";
import type { ClipInfo, ClipPeaks, Clips } from "./schema.gen";
import type { ValueName } from "./values";

export type { ClipInfo, ClipPeaks };

/** Which value, without its kind. */
export type SoundName = Omit<ValueName, "plugin">;

export const askClips = ({ run, tag, at }: SoundName, signal?: AbortSignal) =>
  getJson<Clips>(`audio/clips?${new URLSearchParams({ run, tag, at })}`, signal);

export const askPeaks = ({ run, tag, at }: SoundName, sample: number, px: number, signal?: AbortSignal) =>
  getJson<ClipPeaks>(
    `audio/peaks?${new URLSearchParams({ run, tag, at, sample: String(sample), px: String(px) })}`,
    signal,
  );

/** Where the bytes of a clip are, to be played or, with `save`, kept. */
export function clipUrl({ run, tag, at }: SoundName, sample: number, save = false): string {
  const name = new URLSearchParams({ run, tag, at, sample: String(sample) });
  if (save) name.set("save", "true");
  return mediaUrl("audio/data", name);
}
