/** A look at places with logs while they are being typed: a moment after the last key, and once for each place. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SourceProbe, SourceQuestion } from "../../api/hub/schema.gen";
import { askProbe } from "../../api/hub/tensorboards";

const REST_MS = 350;

export type Look =
  | { state: "nothing" | "looking" }
  | { state: "seen"; probe: SourceProbe }
  | { state: "fault"; fault: Error };

/** `source` null: nothing to look at yet. */
export function useProbe(source: SourceQuestion | null, project: string): Look {
  const wanted = source ? JSON.stringify({ project, source }) : "";
  const [rested, setRested] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setRested(wanted), REST_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, error } = useQuery({
    queryKey: ["probe", rested],
    queryFn: ({ signal }) => {
      const asked = JSON.parse(rested) as { project: string; source: SourceQuestion };
      return askProbe({ project: asked.project, sources: [asked.source] }, signal);
    },
    enabled: rested !== "",
    retry: false,
  });
  if (wanted === "") return { state: "nothing" };
  if (rested !== wanted) return { state: "looking" };
  const probe = data?.sources[0];
  if (probe) return { state: "seen", probe };
  return error ? { state: "fault", fault: error } : { state: "looking" };
}
