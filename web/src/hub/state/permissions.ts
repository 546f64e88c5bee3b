import { useQuery } from "@tanstack/react-query";
import { askPermissions } from "../../api/hub/permissions";
import type { AccountAnswer } from "../../api/hub/schema.gen";
import { useMe } from "./me";

export type Permission = AccountAnswer["permissions"][number];
export const PERMISSIONS = ["permissions"];

/** The defaults of the hub, for administrators. */
export function usePermissions() {
  return useQuery({ queryKey: PERMISSIONS, queryFn: ({ signal }) => askPermissions(signal) });
}

/** Is the account that looks permitted that? */
export function usePermitted(permission: Permission): boolean {
  return useMe().data?.account.permissions.includes(permission) ?? false;
}
