import { useQuery } from "@tanstack/react-query";
import { askBindings } from "../../api/hub/bindings";

export const bindingsKey = (project: string) => ["bindings", project];

export function useBindings(project: string) {
  return useQuery({ queryKey: bindingsKey(project), queryFn: ({ signal }) => askBindings(project, signal) });
}
