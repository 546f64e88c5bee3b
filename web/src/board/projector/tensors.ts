/** Hooks for tensors: the list, values of columns, labels of points. */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useReducer, useRef } from "react";
import {
  fetchColumn,
  fetchLabels,
  fetchTensors,
  spriteUrl,
  type TensorInfo,
  type TensorName,
} from "../../api/projector";
import { formatValue } from "../../lib/number";
import { VALUES } from "../data/values";
import type { ProjectorView } from "../view/projector-view";
import { type ColumnInfo, type ColumnValues, MAX_AT_ONCE, usualColumn } from "./coloring";
import { decodeColumn } from "./column-values";
import type { Tiles } from "./labels";
import { PointNames } from "./point-names";

/** A tensor that can be read. */
export interface Tensor {
  run: string;
  name: string;
  /** Its name without the step. */
  tensor: string;
  step: number | null;
  /** The number of points used, and of all points. */
  rows: number;
  total: number;
  dims: number;
  columns: readonly ColumnInfo[];
  sprite: TensorInfo["sprite"];
  bookmarks: boolean;
  /** What could not be read of its metadata. */
  warning: string | null;
}

export function tensorFrom(info: TensorInfo): Tensor {
  const { run, name, tensor, step, rows, held, dims, metadata, sprite, bookmarks, warning } = info;
  const columns = metadata?.columns ?? [];
  return { run, name, tensor, step, rows: held, total: rows, dims, columns, sprite, bookmarks, warning };
}

/** Fetched again when the logs change. */
export function useTensors() {
  return useQuery({ queryKey: [VALUES, "projector"], queryFn: ({ signal }) => fetchTensors(signal) });
}

export function keyOf({ run, name }: TensorName): string {
  return JSON.stringify([run, name]);
}

/** The same tensor at all its steps. */
export function familyOf({ run, tensor }: Pick<TensorInfo, "run" | "tensor">): string {
  return JSON.stringify([run, tensor]);
}

/** The displayed name: TensorFlow's variable names without their constant suffix. */
export function tidyName(name: string): string {
  return name.replace("/.ATTRIBUTES/VARIABLE_VALUE", "");
}

/** The tensor in the address, otherwise the first that can be shown; without a step the last one. */
export function infoOf(
  tensors: readonly TensorInfo[],
  { run, tensor }: Pick<ProjectorView, "run" | "tensor">,
): TensorInfo | undefined {
  const own = tensors.filter((each) => each.run === run);
  const named = own.find(({ name }) => name === tensor) ?? own.findLast((each) => each.tensor === tensor);
  if (named) return named;
  const first = tensors.find(({ problem }) => problem === null);
  if (!first) return tensors[0];
  return tensors.findLast((each) => familyOf(each) === familyOf(first) && each.problem === null);
}

/** The default label column: the first with text, otherwise the first. */
export function usualLabel(columns: readonly ColumnInfo[]): string | null {
  return (columns.find(({ kind }) => kind === "text") ?? columns[0])?.name ?? null;
}

/** The current column: the chosen one if it exists, otherwise the default. */
export function chosenColumn(columns: readonly ColumnInfo[], chosen: string | null): string | null {
  if (chosen === "") return null;
  return columns.some(({ name }) => name === chosen) ? chosen : usualColumn(columns);
}

/** A column of categories or numbers; null for none, and while it loads. */
export function useColumn(tensor: Tensor, column: string | null, wanted = true): ColumnValues | null {
  const info = tensor.columns.find(({ name }) => name === column);
  const { data } = useQuery({
    queryKey: ["projector", "column", keyOf(tensor), tensor.rows, column],
    queryFn: async ({ signal }) => {
      // Numbers with few distinct values are categories: classes, clusters, years.
      const form = info!.kind === "number" && info!.distinct > MAX_AT_ONCE ? "number" : "category";
      return decodeColumn(await fetchColumn(tensor, column!, form, signal));
    },
    enabled: info !== undefined && wanted,
    gcTime: 60_000,
  });
  return info && wanted && data ? data : null;
}

/** The label of each point, by the chosen column: a new function whenever more labels have loaded. */
export function useNames(tensor: Tensor, column: string | null): (row: number) => string | null {
  // Text columns are too long to fetch at once.
  const isText = tensor.columns.find(({ name }) => name === column)?.kind === "text";
  const values = useColumn(tensor, column, !isText);
  const [known, learn] = useReducer((before: number) => before + 1, 0);
  const key = keyOf(tensor);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tensor is what its key says
  const names = useMemo(
    () =>
      new PointNames(
        async (rows) => (column === null ? [] : (await fetchLabels(tensor, column, rows)).labels),
        learn,
      ),
    [key, column],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is drawn by names is drawn again when more are known
  return useMemo(() => {
    if (column === null) return (row: number) => `#${row}`;
    if (values === null) return (row: number) => names.of(row);
    return (row: number) => cellText(values, row);
  }, [column, values, names, known]);
}

export function cellText(values: ColumnValues, row: number): string {
  if (values.kind === "number") return formatValue(values.numbers[row] ?? Number.NaN);
  return values.labels[values.codes[row] ?? -1] ?? "";
}

/** The thumbnails of the points, once loaded; null if there are none. */
export function useTiles(tensor: Tensor, come: (tiles: Tiles | null) => void): void {
  const latest = useRef(come);
  latest.current = come;
  const { sprite } = tensor;
  const key = keyOf(tensor);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tensor is what its key says
  useEffect(() => {
    latest.current(null);
    if (sprite === null || sprite.tile[0] < 1 || sprite.tile[1] < 1) return;
    const [width, height] = sprite.tile;
    const image = new Image();
    let wanted = true;
    image.onload = () => {
      const across = Math.max(1, Math.floor(image.naturalWidth / width));
      if (wanted) latest.current({ image, width, height, across });
    };
    image.src = spriteUrl(tensor);
    return () => {
      wanted = false;
    };
  }, [key]);
}
