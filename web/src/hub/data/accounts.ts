/** Queries of accounts, permissions, tokens and the audit log. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { AccountResponse } from "../../api/hub-schema.gen";
import { fetchAccounts, fetchAuditPage, fetchPermissions, fetchTokens } from "../api/accounts";
import { useMe } from "./me";
import { pageByPage } from "./queries";

export const ACCOUNTS = ["accounts"];

export function useAccounts(enabled = true) {
  return useQuery({ queryKey: ACCOUNTS, queryFn: ({ signal }) => fetchAccounts(signal), enabled });
}

export type Permission = AccountResponse["permissions"][number];
export const PERMISSIONS = ["permissions"];

/** The defaults of the hub, for administrators. */
export function usePermissions() {
  return useQuery({ queryKey: PERMISSIONS, queryFn: ({ signal }) => fetchPermissions(signal) });
}

/** Whether the current account has a permission. */
export function usePermitted(permission: Permission): boolean {
  return useMe().data?.account.permissions.includes(permission) ?? false;
}

export const TOKENS = ["tokens"];

export function useTokens() {
  return useQuery({ queryKey: TOKENS, queryFn: ({ signal }) => fetchTokens(signal) });
}

const PAGE_SIZE = 100;

/** Newest first, page by page. */
export function useAudit(request: string) {
  return useInfiniteQuery({
    queryKey: ["audit", request],
    ...pageByPage(request, PAGE_SIZE, fetchAuditPage),
  });
}
