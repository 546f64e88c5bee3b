/** Requests about TensorBoards, one function each. */

import { getJson, patchJson, postJson, putJson, remove } from "../../api/client";
import type {
  ChangeTensorboard,
  CreateTensorboard,
  ExtendLifeSpan,
  LogResponse,
  ProbeRequest,
  ProbeResponse,
  ShareResponse,
  Shares,
  TensorboardDetail,
  TensorboardPage,
  TensorboardResponse,
  TopResponse,
} from "../../api/hub-schema.gen";

const one = (id: string) => `tensorboards/${encodeURIComponent(id)}`;

export const fetchTensorboards = (query: URLSearchParams, signal?: AbortSignal) =>
  getJson<TensorboardPage>(`tensorboards?${query}`, signal);
export const fetchTensorboard = (id: string, signal?: AbortSignal) =>
  getJson<TensorboardDetail>(one(id), signal);
export const createTensorboard = (body: CreateTensorboard) =>
  postJson<TensorboardResponse>("tensorboards", body);
export const changeTensorboard = (id: string, changes: ChangeTensorboard) =>
  patchJson<TensorboardResponse>(one(id), changes);
export const startTensorboard = (id: string) => putJson<TensorboardResponse>(`${one(id)}/start`);
export const stopTensorboard = (id: string) => putJson<TensorboardResponse>(`${one(id)}/stop`);
export const extendTensorboard = (id: string, additionalSecs: number) =>
  postJson<TensorboardResponse>(`${one(id)}/extend`, {
    additional_secs: additionalSecs,
  } satisfies ExtendLifeSpan);
export const deleteTensorboard = (id: string) => remove(one(id));
export const fetchProbe = (request: ProbeRequest, signal?: AbortSignal) =>
  postJson<ProbeResponse>("tensorboards/probe", request, signal);
export const fetchLogs = (id: string, signal?: AbortSignal) =>
  getJson<LogResponse>(`${one(id)}/logs`, signal);
export const fetchTop = (id: string, signal?: AbortSignal) => getJson<TopResponse>(`${one(id)}/top`, signal);
export const fetchShares = (id: string, signal?: AbortSignal) => getJson<Shares>(`${one(id)}/shares`, signal);
/** Creates a share link. Each request creates a new one, so it is never retried automatically. */
export const share = (id: string, expireSecs: number) =>
  getJson<ShareResponse>(`${one(id)}/sharedurl?ExpireTimeSeconds=${expireSecs}`);
export const revokeShare = (id: string, shareId: string) =>
  remove(`${one(id)}/shares/${encodeURIComponent(shareId)}`);
