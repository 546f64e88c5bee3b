import { useQuery } from "@tanstack/react-query";
import { askMembers, askProjects } from "../../api/hub/projects";
import { useMe } from "./me";

export const PROJECTS = ["projects"];
export const membersKey = (id: string) => ["members", id];

const projectsQuery = {
  queryKey: PROJECTS,
  queryFn: ({ signal }: { signal: AbortSignal }) => askProjects(signal),
};

export function useProjects() {
  return useQuery(projectsQuery);
}

export interface Place {
  id: string;
  name: string;
}

/** Projects where one may do something: of one's own, and for administrators of the hub all. */
export function usePlaces(right: string): readonly Place[] {
  const me = useMe().data;
  const all = useQuery({ ...projectsQuery, enabled: me?.account.administrator === true }).data?.items ?? [];
  const own = (me?.memberships ?? []).filter((each) => each.rights.includes(right));
  const places = own.map((each) => ({ id: each.project, name: each.display_name || each.name }));
  const more = me?.account.administrator
    ? all.filter((each) => !own.some((mine) => mine.project === each.id))
    : [];
  return [...places, ...more.map((each) => ({ id: each.id, name: each.display_name || each.name }))];
}

export function useMembers(id: string) {
  return useQuery({ queryKey: membersKey(id), queryFn: ({ signal }) => askMembers(id, signal) });
}
