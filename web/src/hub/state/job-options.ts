/** What each replica of a job can get of the machine. */

import { useQuery } from "@tanstack/react-query";
import { fetchPresets } from "../../api/hub/jobs";
import type { PresetResponse } from "../../api/hub/schema.gen";

/** The presets; the first is the default. */
export function usePresets(): readonly PresetResponse[] {
  const { data } = useQuery({ queryKey: ["presets"], queryFn: ({ signal }) => fetchPresets(signal) });
  return data?.items ?? [];
}
