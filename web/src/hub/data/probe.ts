/** Probes a source for logs while it is being typed: debounced, and once per source. */

import { useQuery } from "@tanstack/react-query";
import type { SourceProbe, SourceRequest } from "../../api/hub-schema.gen";
import { useDebounced } from "../../lib/use-debounced";
import { fetchProbe } from "../api/tensorboards";

const REST_MS = 350;

export type ProbeState =
  | { state: "nothing" | "looking" }
  | { state: "seen"; probe: SourceProbe }
  | { state: "fault"; fault: Error };

/** `source` null: there is nothing to probe. */
export function useProbe(source: SourceRequest | null, project: string): ProbeState {
  const request = source ? JSON.stringify({ project, source }) : "";
  const debounced = useDebounced(request, REST_MS);
  const { data, error } = useQuery({
    queryKey: ["probe", debounced],
    queryFn: ({ signal }) => {
      const parsed = JSON.parse(debounced) as { project: string; source: SourceRequest };
      return fetchProbe({ project: parsed.project, sources: [parsed.source] }, signal);
    },
    enabled: debounced !== "",
    retry: false,
  });
  if (request === "") return { state: "nothing" };
  if (debounced !== request) return { state: "looking" };
  const probe = data?.sources[0];
  if (probe) return { state: "seen", probe };
  return error ? { state: "fault", fault: error } : { state: "looking" };
}
