/** Images of jobs and notebooks. While one is built, its state is asked again and again. */

import { type Query, useQuery } from "@tanstack/react-query";
import type { ImageDetail, Images } from "../../api/hub-schema.gen";
import { fetchImage, fetchImageLog, fetchImages } from "../api/images";

export const IMAGES = ["images"];
export type ImageState = ImageDetail["state"];

const AGAIN_MS = 2_000;
/** Of the end of a log. */
const SHOWN_BYTES = 256 * 1024;

const again = (building: boolean | undefined) => (building ? AGAIN_MS : false);

export function useImages() {
  return useQuery({
    queryKey: [...IMAGES, "list"],
    queryFn: ({ signal }) => fetchImages(signal),
    refetchInterval: ({ state }: Query<Images>) =>
      again(state.data?.images.some((each) => each.state === "building")),
  });
}

export function useImage(name: string) {
  return useQuery({
    queryKey: [...IMAGES, "one", name],
    queryFn: ({ signal }) => fetchImage(name, signal),
    refetchInterval: ({ state }: Query<ImageDetail>) => again(state.data?.state === "building"),
  });
}

/** The end of the log of the last build. */
export function useImageLog({ name, state }: ImageDetail) {
  return useQuery({
    // Of each state, so that the last lines are asked for after the end.
    queryKey: [...IMAGES, "log", name, state],
    queryFn: ({ signal }) =>
      fetchImageLog(
        name,
        new URLSearchParams({ cursor: String(-SHOWN_BYTES), max_bytes: String(SHOWN_BYTES) }),
        signal,
      ),
    placeholderData: (before) => before,
    refetchInterval: again(state === "building"),
  });
}
