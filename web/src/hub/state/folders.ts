/** Folders below the roots of a project, read page by page while somebody looks for logs. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError } from "../../api/client";
import { askFolders } from "../../api/hub/places";
import type { FolderAnswer } from "../../api/hub/schema.gen";

const PAGE_SIZE = 100;
const REST_MS = 200;
const TOO_MANY = 429;

/** A folder to browse: a root as the hub names it and a path below it; a root of "" stands above all roots. */
export interface Spot {
  root: string;
  path: string;
}

export const TOP: Spot = { root: "", path: "" };

/** The folders at a spot whose names begin with `prefix`, a moment after it was typed. */
export function useFolders(project: string, spot: Spot, prefix = "", enabled = true) {
  const rested = useRested(prefix);
  const list = useInfiniteQuery({
    queryKey: ["folders", project, spot, rested],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...spot, prefix: rested, page: String(pageParam), page_size: String(PAGE_SIZE) };
      return askFolders(project, new URLSearchParams(query), signal);
    },
    enabled,
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }) => (page * page_size < total ? page + 1 : undefined),
    // While one types, the list stays; in another folder the old one would mislead.
    placeholderData: (before, query) => (isSame(query?.queryKey[2], spot) ? before : undefined),
    // A disk that does not answer has had its time; a hub that is asked too often has not.
    retry: (failures, fault) => failures < 2 && fault instanceof ApiError && fault.status === TOO_MANY,
  });
  return { list, settled: rested === prefix && list.isSuccess && !list.isPlaceholderData };
}

const isSame = (a: unknown, b: Spot) => JSON.stringify(a) === JSON.stringify(b);

/** Nothing typed counts at once. */
function useRested(prefix: string): string {
  const [rested, setRested] = useState(prefix);
  useEffect(() => {
    const timer = setTimeout(() => setRested(prefix), REST_MS);
    return () => clearTimeout(timer);
  }, [prefix]);
  return prefix === "" ? "" : rested;
}

/** Where somebody is who browses, what they typed there, and which folder is marked. */
export function useBrowsing(project: string, start: Spot, severalRoots: boolean) {
  const [spot, setSpot] = useState(start);
  const [prefix, setPrefix] = useState("");
  const [at, setAt] = useState(0);
  const { list, settled } = useFolders(project, spot, prefix);
  const items = (list.data?.pages ?? []).flatMap((page) => page.items).filter(fits(spot, prefix));
  const active = Math.max(0, Math.min(at, items.length - 1));
  const go = (to: Spot | null) => {
    if (!to) return;
    setSpot(to);
    setPrefix("");
    setAt(0);
  };
  return {
    spot,
    prefix,
    items,
    active,
    list,
    settled,
    go,
    point: setAt,
    open: (folder: FolderAnswer | undefined) => folder && go(inside(spot, folder.name)),
    up: () => go(above(spot, severalRoots)),
    type: (typed: string) => {
      setPrefix(typed);
      setAt(0);
    },
    step: (by: number) => {
      if (active + by >= items.length && list.hasNextPage) void list.fetchNextPage();
      setAt(Math.max(0, Math.min(items.length - 1, active + by)));
    },
  };
}

/** What was typed counts at once for what is here already; above all roots only folders of the server are chosen. */
const fits = (spot: Spot, prefix: string) => (folder: FolderAnswer) =>
  folder.name.toLowerCase().startsWith(prefix.toLowerCase()) &&
  (spot.root !== "" || isServerFolder(folder.uri));

export const isServerFolder = (uri: string) => uri.startsWith("/");

/** The folder that a typed place lies in, below one of the roots; the top for any other. */
export function spotOf(typed: string, roots: readonly string[]): Spot {
  const text = typed.trim().replace(/(?<=.)\/+$/, "");
  const holds = (root: string) => text === root || text.startsWith(root.replace(/\/?$/, "/"));
  const root = roots.filter(holds).sort((a, b) => b.length - a.length)[0];
  if (root === undefined) return roots.length === 1 ? { root: roots[0]!, path: "" } : TOP;
  return { root, path: text.slice(root.length).replace(/^\/+/, "") };
}

/** One level up; from a root to all of them, where there are several. */
export function above({ root, path }: Spot, severalRoots: boolean): Spot | null {
  if (path !== "") return { root, path: path.split("/").slice(0, -1).join("/") };
  return root !== "" && severalRoots ? TOP : null;
}

export const inside = ({ root, path }: Spot, name: string): Spot =>
  root === "" ? { root: name, path: "" } : { root, path: path === "" ? name : `${path}/${name}` };

export interface Crumb {
  name: string;
  spot: Spot;
}

/** The folders on the way, from the root on. */
export function crumbs({ root, path }: Spot): Crumb[] {
  if (root === "") return [];
  const names = path === "" ? [] : path.split("/");
  return [
    { name: root, spot: { root, path: "" } },
    ...names.map((name, at) => ({ name, spot: { root, path: names.slice(0, at + 1).join("/") } })),
  ];
}
