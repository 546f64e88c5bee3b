/**
 * What values hold, asked for many at a time: cards ask one by one, and what is asked within a moment goes out as one
 * question. A key names bytes that do not change, so that an answer is good for ever.
 */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import {
  askImages,
  type ImageName,
  type ImageValueName,
  MOST_VALUES,
  type ValueImages,
} from "../../api/images";

/** Images of a value that are shown at a time. */
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

/** One value's images from number `first` on. */
export function describe(tag: string, value: ImageValueName, first: number): Promise<ValueImages> {
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
    for (let at = 0; at < waiting.length; at += MOST_VALUES) {
      void answer(tag, first, waiting.slice(at, at + MOST_VALUES));
    }
  }
}

async function answer(tag: string, first: number, waiting: readonly Waiting[]): Promise<void> {
  try {
    const values = waiting.map(({ value }) => value);
    const found = await askImages({ tag, values, first, most: SAMPLES_AT_ONCE });
    waiting.forEach(({ resolve }, at) => {
      resolve(found.values[at]!);
    });
  } catch (fault) {
    for (const { reject } of waiting) reject(fault);
  }
}

export interface Described {
  found: ValueImages;
  /** The image at a place in `found`: while another value is asked for these are still the ones before. */
  nameOf(place: number): ImageName;
}

/** What a value holds; null until it is known. `at` null asks for nothing. */
export function useDescribed(
  tag: string,
  run: string,
  at: string | null,
  first = 0,
): { described: Described | null; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: ["images", tag, run, at, first],
    queryFn: async (): Promise<Described> => ({
      found: await describe(tag, { run, at: at! }, first),
      nameOf: (place) => ({ tag, run, at: at!, sample: first + place }),
    }),
    enabled: at !== null,
    placeholderData: keepPreviousData,
  });
  return { described: (at !== null && data) || null, error: data ? null : error };
}
