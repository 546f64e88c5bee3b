/** Requests about the images of jobs, one function each. */

import { getJson, putJson } from "../../api/client";
import type { ImageDetail, ImageLog, ImageResponse, Images } from "../../api/hub-schema.gen";

/** Names may have slashes. */
const one = (name: string) => `images/${name.split("/").map(encodeURIComponent).join("/")}`;

export const fetchImages = (signal?: AbortSignal) => getJson<Images>("images", signal);
export const fetchImage = (name: string, signal?: AbortSignal) => getJson<ImageDetail>(one(name), signal);
export const fetchImageLog = (name: string, query: URLSearchParams, signal?: AbortSignal) =>
  getJson<ImageLog>(`${one(name)}/log?${query}`, signal);
export const rebuildImage = (name: string) => putJson<ImageResponse>(`${one(name)}/rebuild`);
