import { useQuery } from "@tanstack/react-query";
import { fetchDatasets, fetchUsedBy } from "../api/datasets";

export const DATASETS = ["datasets"];

/** Datasets that a project may use; with "", those of all projects of the account. */
export function useDatasets(project = "") {
  return useQuery({
    queryKey: [...DATASETS, project],
    queryFn: ({ signal }) => fetchDatasets(project, signal),
  });
}

export function useUsedBy(id: string) {
  return useQuery({ queryKey: ["used-by", id], queryFn: ({ signal }) => fetchUsedBy(id, signal) });
}
