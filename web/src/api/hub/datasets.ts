/** Datasets, and what may be named where one is made: credentials by name, folders that are allowed. */

import { getJson, patchJson, postJson, remove } from "../client";
import type { ChangeDataset, CreateDataset, DatasetAnswer, Datasets, UsedByAnswer } from "./schema.gen";

const one = (id: string) => `datasets/${encodeURIComponent(id)}`;

/** Those that a project may use; of "" those of all projects one is in. */
export const askDatasets = (project: string, signal?: AbortSignal) =>
  getJson<Datasets>(`datasets?project=${encodeURIComponent(project)}`, signal);
export const createDataset = (dataset: CreateDataset) => postJson<DatasetAnswer>("datasets", dataset);
export const changeDataset = (id: string, changes: ChangeDataset) =>
  patchJson<DatasetAnswer>(one(id), changes);
export const deleteDataset = (id: string) => remove(one(id));
export const askUsedBy = (id: string, signal?: AbortSignal) =>
  getJson<UsedByAnswer>(`${one(id)}/used-by`, signal);
