import { useQuery } from "@tanstack/react-query";
import { askAccounts } from "../../api/hub/accounts";

export const ACCOUNTS = ["accounts"];

export function useAccounts(enabled = true) {
  return useQuery({ queryKey: ACCOUNTS, queryFn: ({ signal }) => askAccounts(signal), enabled });
}
