/** Folders below the roots of a project, loaded page by page while browsing for logs. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "../../api/client";
import type { FolderResponse } from "../../api/hub-schema.gen";
import { useDebounced } from "../../lib/use-debounced";
import { fetchFolders } from "../api/datasets";

const PAGE_SIZE = 100;
const REST_MS = 200;
const TOO_MANY = 429;

/** A folder to browse: a root as the hub names it, and a path below it; the root "" is above all roots. */
export interface FolderLocation {
  root: string;
  path: string;
}

export const TOP: FolderLocation = { root: "", path: "" };

/** The folders at a location whose names begin with `prefix`, debounced. */
export function useFolders(project: string, location: FolderLocation, prefix = "", enabled = true) {
  const typed = useDebounced(prefix, REST_MS);
  // An emptied box takes effect at once.
  const debounced = prefix === "" ? "" : typed;
  const list = useInfiniteQuery({
    queryKey: ["folders", project, location, debounced],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...location, prefix: debounced, page: String(pageParam), page_size: String(PAGE_SIZE) };
      return fetchFolders(project, new URLSearchParams(query), signal);
    },
    enabled,
    initialPageParam: 1,
    getNextPageParam: ({ page, page_size, total }) => (page * page_size < total ? page + 1 : undefined),
    // While the user types, the list stays; in another folder the old list would mislead.
    placeholderData: (before, query) => (isSame(query?.queryKey[2], location) ? before : undefined),
    // Do not retry a disk that does not respond, only requests rejected for their rate.
    retry: (failures, fault) => failures < 2 && fault instanceof ApiError && fault.status === TOO_MANY,
  });
  return { list, settled: debounced === prefix && list.isSuccess && !list.isPlaceholderData };
}

const isSame = (a: unknown, b: FolderLocation) => JSON.stringify(a) === JSON.stringify(b);

/** The state of the folder browser: location, typed prefix, and highlighted folder. */
export function useFolderBrowser(project: string, start: FolderLocation, severalRoots: boolean) {
  const [location, setLocation] = useState(start);
  const [prefix, setPrefix] = useState("");
  const [at, setAt] = useState(0);
  const { list, settled } = useFolders(project, location, prefix);
  const items = (list.data?.pages ?? []).flatMap((page) => page.items).filter(fits(location, prefix));
  const active = Math.max(0, Math.min(at, items.length - 1));
  const go = (to: FolderLocation | null) => {
    if (!to) return;
    setLocation(to);
    setPrefix("");
    setAt(0);
  };
  return {
    location,
    prefix,
    items,
    active,
    list,
    settled,
    go,
    point: setAt,
    open: (folder: FolderResponse | undefined) => folder && go(childOf(location, folder.name)),
    up: () => go(parentOf(location, severalRoots)),
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

/** Filters loaded folders at once while typing; above all roots only folders of the server are offered. */
const fits = (location: FolderLocation, prefix: string) => (folder: FolderResponse) =>
  folder.name.toLowerCase().startsWith(prefix.toLowerCase()) &&
  (location.root !== "" || isServerFolder(folder.uri));

export const isServerFolder = (uri: string) => uri.startsWith("/");

/** The folder of a typed path, below one of the roots; the top for any other. */
export function locationOf(typed: string, roots: readonly string[]): FolderLocation {
  const text = typed.trim().replace(/(?<=.)\/+$/, "");
  const holds = (root: string) => text === root || text.startsWith(root.replace(/\/?$/, "/"));
  const root = roots.filter(holds).sort((a, b) => b.length - a.length)[0];
  if (root === undefined) return roots.length === 1 ? { root: roots[0]!, path: "" } : TOP;
  return { root, path: text.slice(root.length).replace(/^\/+/, "") };
}

/** The parent; for a root the list of all roots, if there are several. */
export function parentOf({ root, path }: FolderLocation, severalRoots: boolean): FolderLocation | null {
  if (path !== "") return { root, path: path.split("/").slice(0, -1).join("/") };
  return root !== "" && severalRoots ? TOP : null;
}

export const childOf = ({ root, path }: FolderLocation, name: string): FolderLocation =>
  root === "" ? { root: name, path: "" } : { root, path: path === "" ? name : `${path}/${name}` };

export interface Crumb {
  name: string;
  location: FolderLocation;
}

/** The folders on the path, starting at the root. */
export function breadcrumbs({ root, path }: FolderLocation): Crumb[] {
  if (root === "") return [];
  const names = path === "" ? [] : path.split("/");
  return [
    { name: root, location: { root, path: "" } },
    ...names.map((name, at) => ({ name, location: { root, path: names.slice(0, at + 1).join("/") } })),
  ];
}
