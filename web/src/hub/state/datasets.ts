import { useQuery } from "@tanstack/react-query";
import { askDatasets, askUsedBy } from "../../api/hub/datasets";

export const DATASETS = ["datasets"];

/** Those that a project may use; of "" those of all projects one is in. */
export function useDatasets(project = "") {
  return useQuery({
    queryKey: [...DATASETS, project],
    queryFn: ({ signal }) => askDatasets(project, signal),
  });
}

export function useUsedBy(id: string) {
  return useQuery({ queryKey: ["used-by", id], queryFn: ({ signal }) => askUsedBy(id, signal) });
}
