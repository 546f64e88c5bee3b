/** Queries of meshes: which runs have one, at which steps, and the geometry of one of them. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { fetchMesh, fetchMeshes, type MeshName, type MeshPicture, type MeshSeries } from "../../api/meshes";
import type { TagInfo } from "../data/lists";
import { useRuns } from "../data/lists";
import { VALUES } from "../data/values";
import type { TagsResult } from "../runs/kind-tags";
import type { LineStyle } from "../runs/line-styles";
import { useStepUnion, valueIndexAt } from "../view/steps";

export type { MeshName, MeshPicture, MeshSeries };

const KIND = "mesh";
const NONE: readonly MeshSeries[] = [];

/** Unused geometry is dropped soon, since it is large. */
const KEPT_MS = 20_000;

/** A mesh of one run with the style of the run; `run` is its name on the server. */
export interface RunMesh {
  lineStyle: LineStyle;
  run: string;
  mesh: MeshSeries;
}

function useListed() {
  return useQuery({
    queryKey: [VALUES, KIND],
    queryFn: ({ signal }) => fetchMeshes(signal),
    placeholderData: keepPreviousData,
  });
}

/** Meshes by name, in the form of tags. */
export function useMeshTags(): TagsResult {
  const { data, error } = useListed();
  const tags = useMemo(() => tagsOf(data ?? NONE), [data]);
  return { tags, loaded: data !== undefined, error: data ? null : error };
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
export function useRunMeshes(name: string, runs: readonly LineStyle[]): readonly RunMesh[] {
  const { data } = useListed();
  const rows = useRuns();
  return useMemo(() => {
    const names = new Map(rows.map((row) => [row.id, row.name]));
    const meshes = new Map(data?.filter((mesh) => mesh.name === name).map((mesh) => [mesh.run, mesh]));
    return runs.flatMap((lineStyle): RunMesh[] => {
      const [mesh, run] = [meshes.get(lineStyle.id), names.get(lineStyle.id)];
      return mesh && run !== undefined ? [{ lineStyle, run, mesh }] : [];
    });
  }, [data, rows, name, runs]);
}

/** All steps at which visible runs have a mesh. */
export function useMeshSteps(shown: ReadonlySet<number>): readonly number[] {
  const { data } = useListed();
  return useStepUnion(useMemo(() => (data ?? NONE).filter(({ run }) => shown.has(run)), [data, shown]));
}

/** The value nearest to a step; the last one for null. */
export function meshAt(
  { mesh }: RunMesh,
  step: number | null,
): { key: string; step: number; wall: number } | null {
  const at = valueIndexAt(mesh.steps, step);
  const [key, found, wall] = [mesh.keys[at], mesh.steps[at], mesh.walls[at]];
  return key === undefined || found === undefined || wall === undefined ? null : { key, step: found, wall };
}

export interface MeshPictureResult {
  picture: MeshPicture | null;
  /** The geometry of another step stands in while this one loads. */
  stale: boolean;
  error: Error | null;
  retry(): void;
}

/** The geometry of one mesh. A value never changes as long as its file exists. */
export function useMeshPicture(name: MeshName): MeshPictureResult {
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [KIND, name.run, name.name, name.at, name.sample],
    queryFn: ({ signal }) => fetchMesh(name, signal),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
  return {
    picture: error ? null : (data ?? null),
    stale: isPlaceholderData,
    error,
    retry: () => void refetch(),
  };
}
