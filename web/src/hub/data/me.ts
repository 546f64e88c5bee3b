/** The current account, and login options for visitors without one. */

import { useQuery } from "@tanstack/react-query";
import { addDefaultHeaders, dropEarlyResponses } from "../../api/client";
import type { Me } from "../../api/hub-schema.gen";
import { fetchEntry, fetchMe } from "../api/accounts";
import { queries } from "./queries";

const ME = ["me"];

export const meQuery = {
  queryKey: ME,
  queryFn: ({ signal }: { signal: AbortSignal }) => fetchMe(signal),
};

export function useMe() {
  return useQuery(meQuery);
}

export function useEntry() {
  return useQuery({ queryKey: ["entry"], queryFn: ({ signal }) => fetchEntry(signal) });
}

/** Clears the cache, which may belong to another account. */
export function setCurrentAccount(me: Me): void {
  dropEarlyResponses();
  queries.clear();
  queries.setQueryData(ME, me);
}

/** Whether the account has a permission in some project, or in the given one. */
export function hasProjectPermission(me: Me | undefined, right: string, project = ""): boolean {
  if (!me) return false;
  return (
    me.account.administrator ||
    me.memberships.some((each) => (!project || each.project === project) && each.rights.includes(right))
  );
}

/** Sends the CSRF token with changes that use the cookie. */
export function addCsrfHeader(): void {
  addDefaultHeaders((): Record<string, string> => {
    const csrf = queries.getQueryData<Me>(ME)?.csrf;
    return csrf ? { "x-csrf-token": csrf } : {};
  });
}
