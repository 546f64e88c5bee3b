/** Datasets, and folders to browse for sources. */

import { getJson, patchJson, postJson, remove } from "../../api/client";
import type {
  ChangeDataset,
  CreateDataset,
  DatasetResponse,
  Datasets,
  Folders,
  UsedByResponse,
} from "../../api/hub-schema.gen";

const one = (id: string) => `datasets/${encodeURIComponent(id)}`;

/** Datasets that a project may use; with "", those of all projects of the account. */
export const fetchDatasets = (project: string, signal?: AbortSignal) =>
  getJson<Datasets>(`datasets?project=${encodeURIComponent(project)}`, signal);
export const createDataset = (dataset: CreateDataset) => postJson<DatasetResponse>("datasets", dataset);
export const changeDataset = (id: string, changes: ChangeDataset) =>
  patchJson<DatasetResponse>(one(id), changes);
export const deleteDataset = (id: string) => remove(one(id));
export const fetchUsedBy = (id: string, signal?: AbortSignal) =>
  getJson<UsedByResponse>(`${one(id)}/used-by`, signal);

export const fetchFolders = (project: string, query: URLSearchParams, signal?: AbortSignal) =>
  getJson<Folders>(`projects/${encodeURIComponent(project)}/folders?${query}`, signal);
