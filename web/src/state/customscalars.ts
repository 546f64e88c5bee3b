/** The layouts of scalars that writers gave: categories of charts of several tags. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { askCustomScalars, type CustomCategory, type CustomChart } from "../api/customscalars";
import { fold, useFolds } from "./fold";
import { VALUES } from "./values";

export type { CustomCategory, CustomChart };

export function useCustomScalars() {
  return useQuery({
    queryKey: [VALUES, "custom_scalars"],
    queryFn: ({ signal }) => askCustomScalars(signal),
    placeholderData: keepPreviousData,
  });
}

/** Sections of other pages may have the same title. */
export function foldName(category: string): string {
  return `custom/${category}`;
}

/** Categories met in this page: what a writer wants closed is closed once, and then as people leave it. */
const met = new Set<string>();

export function foldClosed(categories: readonly CustomCategory[]): void {
  const fresh = categories.filter(({ title }) => !met.has(title));
  for (const { title } of fresh) met.add(title);
  const closed = fresh.filter((category) => category.closed).map(({ title }) => foldName(title));
  const { folded } = useFolds.getState();
  if (closed.some((name) => !folded.has(name))) fold(closed, true);
}
