/** Images: what the values of a tag hold, and where the bytes of each can be had. */

import { mediaUrl, postJson } from "./client";
import type { ImageInfo, ImagesAnswer, ValueImages } from "./schema.gen";

export type { ImageInfo, ValueImages };

/** One value: the run by its name, and the key that the list of values gave it. */
export interface ImageValueName {
  run: string;
  at: string;
}

export interface ImagesQuestion {
  tag: string;
  values: readonly ImageValueName[];
  first: number;
  most: number;
}

/** The server takes no more values in one question. */
export const MOST_VALUES = 500;

export const askImages = (question: ImagesQuestion, signal?: AbortSignal) =>
  postJson<ImagesAnswer>("images", question, signal);

export interface ImageName extends ImageValueName {
  tag: string;
  sample: number;
}

/** Where the very bytes of an image can be had; `save` has the browser keep them as a file. */
export function imageUrl({ run, tag, at, sample }: ImageName, save = false): string {
  const query = new URLSearchParams({ run, tag, at, sample: String(sample) });
  if (save) query.set("save", "true");
  return mediaUrl("images/data", query);
}
