import { useQuery } from "@tanstack/react-query";
import { askTokens } from "../../api/hub/tokens";

export const TOKENS = ["tokens"];

export function useTokens() {
  return useQuery({ queryKey: TOKENS, queryFn: ({ signal }) => askTokens(signal) });
}
