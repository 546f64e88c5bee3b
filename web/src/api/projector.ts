/** What the page of embeddings asks of the server, one function per question. Rows are those of the tensor, from 0. */

import { apiUrl, getBytes, getJson, postJson, remove } from "./client";
import type {
  LabelsAnswer,
  LayoutAnswer,
  LayoutQuestion,
  NeighboursAnswer,
  NeighboursQuestion,
  SearchAnswer,
  SearchQuestion,
  TensorInfo,
  TensorList,
} from "./schema.gen";

export type { LayoutAnswer, LayoutQuestion, NeighboursAnswer, SearchAnswer, TensorInfo, TensorList };

export type TensorName = Pick<TensorInfo, "run" | "name">;

const query = (given: Record<string, string | number>) =>
  new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)])).toString();
const named = ({ run, name }: TensorName, more: Record<string, string | number> = {}) =>
  query({ run, name, ...more });

export const askTensors = (signal?: AbortSignal) => getJson<TensorList>("projector", signal);

export const askColumn = (
  tensor: TensorName,
  column: string,
  form: "number" | "category",
  signal?: AbortSignal,
) => getBytes(`projector/column?${named(tensor, { column, form, format: "binary" })}`, signal);

export const askLabels = (
  tensor: TensorName,
  column: string,
  rows: readonly number[],
  signal?: AbortSignal,
) => getJson<LabelsAnswer>(`projector/labels?${named(tensor, { column, rows: rows.join() })}`, signal);

export const askVectors = (tensor: TensorName, rows: readonly number[], signal?: AbortSignal) =>
  getJson<{ vectors: number[][] }>(
    `projector/vectors?${named(tensor, { rows: rows.join(), format: "json" })}`,
    signal,
  );

export const askNeighbors = (question: NeighboursQuestion, signal?: AbortSignal) =>
  postJson<NeighboursAnswer>("projector/neighbours", question, signal);

export const askSearch = (question: SearchQuestion, signal?: AbortSignal) =>
  postJson<SearchAnswer>("projector/search", question, signal);

export const askBookmarks = (tensor: TensorName, signal?: AbortSignal) =>
  getJson<unknown>(`projector/bookmarks?${named(tensor)}`, signal);

export const spriteUrl = (tensor: TensorName) => apiUrl(`projector/sprite?${named(tensor)}`);
export const metadataUrl = (tensor: TensorName) => `data/plugin/projector/metadata?${named(tensor)}`;

export const beginLayout = (question: LayoutQuestion, signal?: AbortSignal) =>
  postJson<LayoutAnswer>("projector/layouts", question, signal);
export const askLayout = (id: string, signal?: AbortSignal) =>
  getJson<LayoutAnswer>(`projector/layouts/${id}`, signal);
export const askPositions = (id: string, frame: number, signal?: AbortSignal) =>
  getBytes(`projector/layouts/${id}/positions?frame=${frame}`, signal);
export const cancelLayout = (id: string) => remove(`projector/layouts/${id}`);
