/** What jobs can get where the hub runs them. */

import { useQuery } from "@tanstack/react-query";
import type { JobCapabilities, PresetResponse } from "../../api/hub-schema.gen";
import { fetchPresets, fetchQueue } from "../api/jobs";

/** The presets; the first is the default. */
export function usePresets(): readonly PresetResponse[] {
  const { data } = useQuery({ queryKey: ["presets"], queryFn: ({ signal }) => fetchPresets(signal) });
  return data?.items ?? [];
}

type Abilities = Pick<
  JobCapabilities,
  "commands" | "commands_problem" | "servers" | "servers_problem" | "volumes" | "volumes_problem"
>;

/** If it is not known, the hub itself says what it refuses. */
const ALL: Abilities = {
  commands: true,
  commands_problem: "",
  servers: true,
  servers_problem: "",
  volumes: true,
  volumes_problem: "",
};

/** What jobs are capable of, undefined before that is known. It changes only when the hub is started anew. */
export function useJobCapabilities(): Abilities | undefined {
  const { data, isError } = useQuery({
    queryKey: ["job capabilities"],
    queryFn: ({ signal }) => fetchQueue(new URLSearchParams({ page_size: "1" }), signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return isError ? ALL : data?.capabilities;
}
