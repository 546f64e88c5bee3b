/** Images: the contents of values, and URLs of the images. */

import { mediaUrl, postJson } from "./client";
import type { ImageInfo, ImagesResponse, ValueImages } from "./schema.gen";

export type { ImageInfo, ValueImages };

/** One value: the name of the run, and the key from the list of values. */
export interface ImageValueName {
  run: string;
  at: string;
}

export interface ImagesRequest {
  tag: string;
  values: readonly ImageValueName[];
  first: number;
  most: number;
}

/** Maximum number of values in one request. */
export const MAX_VALUES = 500;

export const fetchImages = (request: ImagesRequest, signal?: AbortSignal) =>
  postJson<ImagesResponse>("images", request, signal);

export interface ImageName extends ImageValueName {
  tag: string;
  sample: number;
}

/** URL of an image, unchanged; `save` makes the browser download it. */
export function imageUrl({ run, tag, at, sample }: ImageName, save = false): string {
  const query = new URLSearchParams({ run, tag, at, sample: String(sample) });
  if (save) query.set("save", "true");
  return mediaUrl("images/data", query);
}
