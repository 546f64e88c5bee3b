/** Custom scalar layouts that writers defined: categories of charts of several tags. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type CustomCategory, type CustomChart, fetchCustomScalars } from "../../api/board";
import { VALUES } from "../data/values";
import { setFolded, useFoldedSections } from "../view/folded-sections";

export type { CustomCategory, CustomChart };

export function useCustomScalars() {
  return useQuery({
    queryKey: [VALUES, "custom_scalars"],
    queryFn: ({ signal }) => fetchCustomScalars(signal),
    placeholderData: keepPreviousData,
  });
}

/** A prefix, since sections of other pages may have the same title. */
export function foldName(category: string): string {
  return `custom/${category}`;
}

/**
 * Categories that this page has seen: one that the writer wants closed is closed once, then left as the user has it.
 */
const met = new Set<string>();

export function foldClosed(categories: readonly CustomCategory[]): void {
  const fresh = categories.filter(({ title }) => !met.has(title));
  for (const { title } of fresh) met.add(title);
  const closed = fresh.filter((category) => category.closed).map(({ title }) => foldName(title));
  const { folded } = useFoldedSections.getState();
  if (closed.some((name) => !folded.has(name))) setFolded(closed, true);
}
