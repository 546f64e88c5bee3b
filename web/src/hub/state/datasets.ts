import { useQuery } from "@tanstack/react-query";
import { askDatasets, askUsedBy } from "../../api/hub/datasets";

export const DATASETS = ["datasets"];

export function useDatasets() {
  return useQuery({ queryKey: DATASETS, queryFn: ({ signal }) => askDatasets(signal) });
}

export function useUsedBy(id: string) {
  return useQuery({ queryKey: ["used-by", id], queryFn: ({ signal }) => askUsedBy(id, signal) });
}
