import { useQuery } from "@tanstack/react-query";
import { askCredentials } from "../../api/hub/credentials";

/** Names of the keys that a project may use; of "" all that one may name anywhere. */
export function useCredentials(project: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ["credentials", project],
    queryFn: ({ signal }) => askCredentials(project, signal),
  });
  return data?.items ?? [];
}
