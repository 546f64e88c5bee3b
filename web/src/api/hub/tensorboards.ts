/** What the console asks about TensorBoards, one function per question. */

import { getJson, patchJson, postJson, putJson, remove } from "../client";
import type {
  ChangeTensorboard,
  CreateTensorboard,
  ExtendTensorboard,
  LogAnswer,
  ProbeAnswer,
  ProbeQuestion,
  ShareAnswer,
  Shares,
  TensorboardAnswer,
  TensorboardDetail,
  TensorboardPage,
  TopAnswer,
} from "./schema.gen";

const one = (id: string) => `tensorboards/${encodeURIComponent(id)}`;

export const askTensorboards = (query: URLSearchParams, signal?: AbortSignal) =>
  getJson<TensorboardPage>(`tensorboards?${query}`, signal);
export const askTensorboard = (id: string, signal?: AbortSignal) =>
  getJson<TensorboardDetail>(one(id), signal);
export const createTensorboard = (body: CreateTensorboard) =>
  postJson<TensorboardAnswer>("tensorboards", body);
export const changeTensorboard = (id: string, changes: ChangeTensorboard) =>
  patchJson<TensorboardAnswer>(one(id), changes);
export const startTensorboard = (id: string) => putJson<TensorboardAnswer>(`${one(id)}/start`);
export const stopTensorboard = (id: string) => putJson<TensorboardAnswer>(`${one(id)}/stop`);
export const extendTensorboard = (id: string, by: ExtendTensorboard) =>
  postJson<TensorboardAnswer>(`${one(id)}/extend`, by);
export const deleteTensorboard = (id: string) => remove(one(id));
export const askProbe = (question: ProbeQuestion, signal?: AbortSignal) =>
  postJson<ProbeAnswer>("tensorboards/probe", question, signal);
export const askLogs = (id: string, signal?: AbortSignal) => getJson<LogAnswer>(`${one(id)}/logs`, signal);
export const askTop = (id: string, signal?: AbortSignal) => getJson<TopAnswer>(`${one(id)}/top`, signal);
export const askShares = (id: string, signal?: AbortSignal) => getJson<Shares>(`${one(id)}/shares`, signal);
/** A link for anybody. Links that are made are told apart by their answer, so this is never repeated by itself. */
export const share = (id: string, expireSecs: number) =>
  getJson<ShareAnswer>(`${one(id)}/sharedurl?ExpireTimeSeconds=${expireSecs}`);
export const revokeShare = (id: string, shareId: string) =>
  remove(`${one(id)}/shares/${encodeURIComponent(shareId)}`);
