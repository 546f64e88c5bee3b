/** Requests about jobs, one function each. */

import { apiUrl, getJson, patchJson, postJson, postOnce, putJson, remove } from "../../api/client";
import type {
  ChangeJob,
  ChangePriority,
  CreateJob,
  CreateNotebook,
  ExtendLifeSpan,
  JobDetail,
  JobHttp,
  JobInputs,
  JobLineage,
  JobLog,
  JobMetrics,
  JobPage,
  JobQueue,
  JobResponse,
  JobUsageHistory,
  Presets,
  RunAgain,
} from "../../api/hub-schema.gen";

const one = (id: string) => `jobs/${encodeURIComponent(id)}`;

export const fetchJobs = (query: URLSearchParams, signal?: AbortSignal) =>
  getJson<JobPage>(`jobs?${query}`, signal);
export const fetchJob = (id: string, signal?: AbortSignal) => getJson<JobDetail>(one(id), signal);
/** `key`: the same one if the same job is sent again because no response arrived. */
export const createJob = (job: CreateJob, key: string) => postOnce<JobDetail>("jobs", job, key);
/** As `createJob`. */
export const createNotebook = (notebook: CreateNotebook, key: string) =>
  postOnce<JobDetail>("notebooks", notebook, key);
export const stopJob = (id: string) => putJson<JobResponse>(`${one(id)}/stop`);
export const pauseJob = (id: string) => putJson<JobResponse>(`${one(id)}/pause`);
export const resumeJob = (id: string) => putJson<JobResponse>(`${one(id)}/resume`);
export const restartJob = (id: string) => putJson<JobResponse>(`${one(id)}/restart`);
export const prioritizeJob = (id: string, priority: number) =>
  putJson<JobResponse>(`${one(id)}/priority`, { priority } satisfies ChangePriority);
export const extendJob = (id: string, additionalSecs: number) =>
  postJson<JobResponse>(`${one(id)}/extend`, { additional_secs: additionalSecs } satisfies ExtendLifeSpan);
/** Another job like this one; `imageDigest` is that of an environment that it had, "" for what its image has now. */
export const repeatJob = (id: string, imageDigest: string) =>
  postJson<JobDetail>(`${one(id)}/run-again`, { image_digest: imageDigest } satisfies RunAgain);
export const fetchJobLineage = (id: string, signal?: AbortSignal) =>
  getJson<JobLineage>(`${one(id)}/lineage`, signal);
/** What was in its inputs when an attempt started, compared with what is there now: lists all files. */
export const fetchJobInputs = (id: string, attempt: number, signal?: AbortSignal) =>
  getJson<JobInputs>(`${one(id)}/inputs?attempt=${attempt}`, signal);
/** `withBoard`: its TensorBoard as well. */
export const deleteJob = (id: string, withBoard = false) =>
  remove(`${one(id)}${withBoard ? "?delete_tensorboard=true" : ""}`);
/** Enables its TensorBoard, or deletes it. */
export const changeJob = (id: string, change: ChangeJob) => patchJson<JobDetail>(one(id), change);
export const fetchJobLog = (id: string, query: URLSearchParams, signal?: AbortSignal) =>
  getJson<JobLog>(`${one(id)}/logs?${query}`, signal);
/** The address of the stream of what it prints; its events are parts of the log. */
export const jobLogStream = (id: string, query: URLSearchParams) => apiUrl(`${one(id)}/logs/stream?${query}`);
export const fetchJobMetrics = (id: string, signal?: AbortSignal) =>
  getJson<JobMetrics>(`${one(id)}/metrics`, signal);
/** What its last attempt has used over time. */
export const fetchJobUsage = (id: string, signal?: AbortSignal) =>
  getJson<JobUsageHistory>(`${one(id)}/usage`, signal);
export const fetchJobHttp = (id: string, signal?: AbortSignal) => getJson<JobHttp>(`${one(id)}/http`, signal);
export const sourceCodeUrl = (id: string) => apiUrl(`${one(id)}/source-code`);
export const fetchQueue = (query: URLSearchParams, signal?: AbortSignal) =>
  getJson<JobQueue>(`queue?${query}`, signal);
export const fetchPresets = (signal?: AbortSignal) => getJson<Presets>("presets", signal);
