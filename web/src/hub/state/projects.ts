import { useQuery } from "@tanstack/react-query";
import { askMembers, askProjects } from "../../api/hub/projects";

export const PROJECTS = ["projects"];
export const membersKey = (id: string) => ["members", id];

export function useProjects() {
  return useQuery({ queryKey: PROJECTS, queryFn: ({ signal }) => askProjects(signal) });
}

export function useMembers(id: string) {
  return useQuery({ queryKey: membersKey(id), queryFn: ({ signal }) => askMembers(id, signal) });
}
