/**
 * Contents of values, fetched in batches: cards request one at a time, and requests within a moment are combined. A
 * key names bytes that do not change, so responses never expire.
 */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  fetchImages,
  type ImageName,
  type ImageValueName,
  MAX_VALUES,
  type ValueImages,
} from "../../api/images";

/** Number of images of a value shown at once. */
export const SAMPLES_AT_ONCE = 12;

interface Waiting {
  value: ImageValueName;
  resolve(found: ValueImages): void;
  reject(fault: unknown): void;
}

interface Batch {
  tag: string;
  first: number;
  waiting: Waiting[];
}

let batches = new Map<string, Batch>();

/** The images of one value, starting at `first`. */
export function fetchImageInfo(tag: string, value: ImageValueName, first: number): Promise<ValueImages> {
  return new Promise((resolve, reject) => {
    if (batches.size === 0) setTimeout(flush, 0);
    const key = `${first} ${tag}`;
    const batch = batches.get(key) ?? { tag, first, waiting: [] };
    batch.waiting.push({ value, resolve, reject });
    batches.set(key, batch);
  });
}

function flush(): void {
  const all = [...batches.values()];
  batches = new Map();
  for (const { tag, first, waiting } of all) {
    for (let at = 0; at < waiting.length; at += MAX_VALUES) {
      void answer(tag, first, waiting.slice(at, at + MAX_VALUES));
    }
  }
}

async function answer(tag: string, first: number, waiting: readonly Waiting[]): Promise<void> {
  try {
    const values = waiting.map(({ value }) => value);
    const found = await fetchImages({ tag, values, first, most: SAMPLES_AT_ONCE });
    waiting.forEach(({ resolve }, at) => {
      resolve(found.values[at]!);
    });
  } catch (fault) {
    for (const { reject } of waiting) reject(fault);
  }
}

export interface ImageInfoResult {
  found: ValueImages;
  /** The name of the image at an index in `found`: while another value loads, these are the previous ones. */
  nameOf(place: number): ImageName;
}

/** The contents of a value; null until loaded. `at` null fetches nothing. */
export function useImageInfo(
  tag: string,
  run: string,
  at: string | null,
  first = 0,
): { described: ImageInfoResult | null; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: ["images", tag, run, at, first],
    queryFn: async (): Promise<ImageInfoResult> => ({
      found: await fetchImageInfo(tag, { run, at: at! }, first),
      nameOf: (place) => ({ tag, run, at: at!, sample: first + place }),
    }),
    enabled: at !== null,
    placeholderData: keepPreviousData,
  });
  return { described: (at !== null && data) || null, error: data ? null : error };
}
