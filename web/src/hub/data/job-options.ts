/** What jobs can get where the hub runs them. */

import { useQuery } from "@tanstack/react-query";
import type { JobCapabilities, PresetResponse } from "../../api/hub-schema.gen";
import { fetchPresets, fetchQueue } from "../api/jobs";

/** The presets; the first is the default. */
export function usePresets(): readonly PresetResponse[] {
  const { data } = useQuery({ queryKey: ["presets"], queryFn: ({ signal }) => fetchPresets(signal) });
  return data?.items ?? [];
}

/** What jobs are capable of, undefined before that is known. It changes only when the hub is started anew. */
export function useJobCapabilities(): Pick<JobCapabilities, "commands" | "commands_problem"> | undefined {
  const { data, isError } = useQuery({
    queryKey: ["job capabilities"],
    queryFn: ({ signal }) => fetchQueue(new URLSearchParams({ page_size: "1" }), signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  // The hub itself says what it refuses.
  return isError ? { commands: true, commands_problem: "" } : data?.capabilities;
}
