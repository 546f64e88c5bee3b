/** Queries of projects, their members, bindings, credentials, secrets and invitations. */

import { useQuery } from "@tanstack/react-query";
import { fetchInvitations, fetchSentInvitations } from "../api/invitations";
import { fetchBindings, fetchCredentials, fetchMembers, fetchProjects, fetchSecrets } from "../api/projects";
import { useMe } from "./me";

export const PROJECTS = ["projects"];
export const membersKey = (id: string) => ["members", id];

const projectsQuery = {
  queryKey: PROJECTS,
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchProjects(signal),
};

export function useProjects() {
  return useQuery(projectsQuery);
}

export interface ProjectOption {
  id: string;
  name: string;
}

/** Projects in which the account has a permission; all of them for administrators of the hub. */
export function useProjectsWithPermission(right: string): readonly ProjectOption[] {
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
  return useQuery({ queryKey: membersKey(id), queryFn: ({ signal }) => fetchMembers(id, signal) });
}

export const bindingsKey = (project: string) => ["bindings", project];

export function useBindings(project: string) {
  return useQuery({
    queryKey: bindingsKey(project),
    queryFn: ({ signal }) => fetchBindings(project, signal),
  });
}

export const secretsKey = (project: string) => ["secrets", project];

/** The secrets of a project, without values; nothing is requested for "". */
export function useSecrets(project: string) {
  return useQuery({
    queryKey: secretsKey(project),
    queryFn: ({ signal }) => fetchSecrets(project, signal),
    enabled: project !== "",
  });
}

/** Names of the credentials that a project may use; with "", of all that the account may use. */
export function useCredentials(project: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ["credentials", project],
    queryFn: ({ signal }) => fetchCredentials(project, signal),
  });
  return data?.items ?? [];
}

/** The header of every page shows the number of invitations: polled while the page is visible. */
const LOOK_EVERY_MS = 30_000;

export const INVITATIONS = ["invitations"];
export const sentInvitationsKey = (project: string) => ["sent", project];

export function useInvitations() {
  return useQuery({
    queryKey: INVITATIONS,
    queryFn: ({ signal }) => fetchInvitations(signal),
    refetchInterval: LOOK_EVERY_MS,
  });
}

export function useSentInvitations(project: string) {
  return useQuery({
    queryKey: sentInvitationsKey(project),
    queryFn: ({ signal }) => fetchSentInvitations(project, signal),
  });
}
