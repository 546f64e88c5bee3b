/** What jobs of this hub can have: images and presets. */

import { useQuery } from "@tanstack/react-query";
import { fetchImages, fetchPresets } from "../../api/hub/jobs";
import type { PresetResponse } from "../../api/hub/schema.gen";

/** The names of the images. */
export function useImages(): readonly string[] {
  const { data } = useQuery({ queryKey: ["images"], queryFn: ({ signal }) => fetchImages(signal) });
  return data?.items ?? [];
}

/** The presets; the first is the default. */
export function usePresets(): readonly PresetResponse[] {
  const { data } = useQuery({ queryKey: ["presets"], queryFn: ({ signal }) => fetchPresets(signal) });
  return data?.items ?? [];
}
