import { useInfiniteQuery } from "@tanstack/react-query";
import { askAudit } from "../../api/hub/audit";

const PAGE_SIZE = 100;

/** Newest first, page by page. */
export function useAudit(question: string) {
  return useInfiniteQuery({
    queryKey: ["audit", question],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams(question);
      query.set("page", String(pageParam));
      query.set("page_size", String(PAGE_SIZE));
      return askAudit(query, signal);
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }) => (page * page_size < total ? page + 1 : undefined),
  });
}
