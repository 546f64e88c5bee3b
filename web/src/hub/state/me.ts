/** Who is logged in, and what somebody who is not needs to know. */

import { useQuery } from "@tanstack/react-query";
import { sendAlways } from "../../api/client";
import { askMe } from "../../api/hub/accounts";
import { askEntry } from "../../api/hub/entry";
import type { Me } from "../../api/hub/schema.gen";
import { queries } from "./queries";

const ME = ["me"];

export const meQuery = {
  queryKey: ME,
  queryFn: ({ signal }: { signal: AbortSignal }) => askMe(signal),
};

export function useMe() {
  return useQuery(meQuery);
}

export function useEntry() {
  return useQuery({ queryKey: ["entry"], queryFn: ({ signal }) => askEntry(signal) });
}

/** Everything that was kept may have been somebody else's. */
export function becomeMe(me: Me): void {
  queries.clear();
  queries.setQueryData(ME, me);
}

/** May the account do that in some project, or in the one given? */
export function mayInProject(me: Me | undefined, right: string, project = ""): boolean {
  if (!me) return false;
  return (
    me.account.administrator ||
    me.memberships.some((each) => (!project || each.project === project) && each.rights.includes(right))
  );
}

/** Changes made with the cookie carry the word that only this page knows. */
export function sendCsrf(): void {
  sendAlways((): Record<string, string> => {
    const csrf = queries.getQueryData<Me>(ME)?.csrf;
    return csrf ? { "x-csrf-token": csrf } : {};
  });
}
