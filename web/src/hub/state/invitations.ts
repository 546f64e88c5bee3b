/** Invitations to projects. */

import { useQuery } from "@tanstack/react-query";
import { askInvitations, askSent } from "../../api/hub/invitations";

/** The head of every page says how many there are: looked at now and then while the page is seen. */
const LOOK_EVERY_MS = 30_000;

export const INVITATIONS = ["invitations"];
export const sentKey = (project: string) => ["sent", project];

export function useInvitations() {
  return useQuery({
    queryKey: INVITATIONS,
    queryFn: ({ signal }) => askInvitations(signal),
    refetchInterval: LOOK_EVERY_MS,
  });
}

export function useSent(project: string) {
  return useQuery({ queryKey: sentKey(project), queryFn: ({ signal }) => askSent(project, signal) });
}
