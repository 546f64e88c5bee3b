/** Meshes as the page asks for them: which runs hold one, at which steps, and one of them as numbers. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { askMesh, askMeshes, type MeshName, type MeshPicture, type MeshSeries } from "../api/meshes";
import type { KnownTags } from "./kindtags";
import type { TagInfo } from "./lists";
import { useRuns } from "./lists";
import type { RunLook } from "./looks";
import { useUnion, valueAt } from "./steps";
import { VALUES } from "./values";

export type { MeshName, MeshPicture, MeshSeries };

const KIND = "mesh";
const NONE: readonly MeshSeries[] = [];

/** Pictures that nobody looks at are let go of soon: they are large. */
const KEPT_MS = 20_000;

/** A mesh of one run, and how the run looks; `run` is the name by which the server knows it. */
export interface RunMesh {
  look: RunLook;
  run: string;
  mesh: MeshSeries;
}

function useListed() {
  return useQuery({
    queryKey: [VALUES, KIND],
    queryFn: ({ signal }) => askMeshes(signal),
    placeholderData: keepPreviousData,
  });
}

/** Meshes by name, as tags of a page. */
export function useMeshTags(): KnownTags {
  const { data, error } = useListed();
  const tags = useMemo(() => tagsOf(data ?? NONE), [data]);
  return { tags, known: data !== undefined, error: data ? null : error };
}

function tagsOf(meshes: readonly MeshSeries[]): readonly TagInfo[] {
  const found = new Map<string, TagInfo>();
  for (const { name, run, description } of meshes) {
    const known = found.get(name);
    if (known) {
      known.runs.push(run);
      known.description ||= description;
    } else found.set(name, { tag: name, plugin: KIND, display_name: name, description, runs: [run] });
  }
  return [...found.values()];
}

/** The mesh of that name in each of these runs. */
export function useRunMeshes(name: string, runs: readonly RunLook[]): readonly RunMesh[] {
  const { data } = useListed();
  const rows = useRuns();
  return useMemo(() => {
    const names = new Map(rows.map((row) => [row.id, row.name]));
    const meshes = new Map(data?.filter((mesh) => mesh.name === name).map((mesh) => [mesh.run, mesh]));
    return runs.flatMap((look): RunMesh[] => {
      const [mesh, run] = [meshes.get(look.id), names.get(look.id)];
      return mesh && run !== undefined ? [{ look, run, mesh }] : [];
    });
  }, [data, rows, name, runs]);
}

/** All steps at which runs on show hold any mesh. */
export function useMeshSteps(shown: ReadonlySet<number>): readonly number[] {
  const { data } = useListed();
  return useUnion(useMemo(() => (data ?? NONE).filter(({ run }) => shown.has(run)), [data, shown]));
}

/** The value nearest to a step, the last for null. */
export function meshAt(
  { mesh }: RunMesh,
  step: number | null,
): { key: string; step: number; wall: number } | null {
  const at = valueAt(mesh.steps, step);
  const [key, found, wall] = [mesh.keys[at], mesh.steps[at], mesh.walls[at]];
  return key === undefined || found === undefined || wall === undefined ? null : { key, step: found, wall };
}

export interface KnownPicture {
  picture: MeshPicture | null;
  /** The picture of another step stands in while this one is on its way. */
  waiting: boolean;
  error: Error | null;
  retry(): void;
}

/** One mesh as numbers; a value never changes as long as its file stands. */
export function useMeshPicture(name: MeshName): KnownPicture {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [KIND, name.run, name.name, name.at, name.sample],
    queryFn: ({ signal }) => askMesh(name, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  return {
    picture: error ? null : (data ?? null),
    waiting: isPlaceholderData,
    error,
    retry: () => void refetch(),
  };
}
