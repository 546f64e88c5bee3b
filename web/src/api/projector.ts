/** Requests of the projector, one function each. Rows are those of the tensor, from 0. */

import { apiUrl, getBytes, getJson, postJson, remove } from "./client";
import type {
  LabelsResponse,
  LayoutBody,
  LayoutResponse,
  NeighboursRequest,
  NeighboursResponse,
  SearchRequest,
  SearchResponse,
  TensorInfo,
  TensorList,
} from "./schema.gen";

export type { LayoutBody, LayoutResponse, NeighboursResponse, SearchResponse, TensorInfo, TensorList };

export type TensorName = Pick<TensorInfo, "run" | "name">;

const query = (given: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)])).toString();
const named = ({ run, name }: TensorName, more: Record<string, string | number> = {}) =>
  query({ run, name, ...more });

export const fetchTensors = (signal?: AbortSignal) => getJson<TensorList>("projector", signal);

export const fetchColumn = (
  tensor: TensorName,
  column: string,
  form: "number" | "category",
  signal?: AbortSignal,
) => getBytes(`projector/column?${named(tensor, { column, form, format: "binary" })}`, signal);

export const fetchLabels = (
  tensor: TensorName,
  column: string,
  rows: readonly number[],
  signal?: AbortSignal,
) => getJson<LabelsResponse>(`projector/labels?${named(tensor, { column, rows: rows.join() })}`, signal);

export const fetchVectors = (tensor: TensorName, rows: readonly number[], signal?: AbortSignal) =>
  getJson<{ vectors: number[][] }>(
    `projector/vectors?${named(tensor, { rows: rows.join(), format: "json" })}`,
    signal,
  );

export const fetchNeighbors = (request: NeighboursRequest, signal?: AbortSignal) =>
  postJson<NeighboursResponse>("projector/neighbours", request, signal);

export const searchPoints = (request: SearchRequest, signal?: AbortSignal) =>
  postJson<SearchResponse>("projector/search", request, signal);

export const fetchBookmarks = (tensor: TensorName, signal?: AbortSignal) =>
  getJson<unknown>(`projector/bookmarks?${named(tensor)}`, signal);

export const spriteUrl = (tensor: TensorName) => apiUrl(`projector/sprite?${named(tensor)}`);
export const metadataUrl = (tensor: TensorName) => `data/plugin/projector/metadata?${named(tensor)}`;

export const startLayout = (request: LayoutBody, signal?: AbortSignal) =>
  postJson<LayoutResponse>("projector/layouts", request, signal);
export const fetchLayout = (id: string, signal?: AbortSignal) =>
  getJson<LayoutResponse>(`projector/layouts/${id}`, signal);
export const fetchPositions = (id: string, frame: number, signal?: AbortSignal) =>
  getBytes(`projector/layouts/${id}/positions?frame=${frame}`, signal);
export const cancelLayout = (id: string) => remove(`projector/layouts/${id}`);
