import { useQuery } from "@tanstack/react-query";
import { askCredentials } from "../../api/hub/credentials";

/** Names of the keys that the administrator laid down. */
export function useCredentials(): readonly string[] {
  const { data } = useQuery({ queryKey: ["credentials"], queryFn: ({ signal }) => askCredentials(signal) });
  return data?.items ?? [];
}
