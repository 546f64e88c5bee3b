/** Where logs may lie: the roots of a project, and the folders below them. */

import { getJson } from "../client";
import type { Folders } from "./schema.gen";

export const askFolders = (project: string, query: URLSearchParams, signal?: AbortSignal) =>
  getJson<Folders>(`projects/${encodeURIComponent(project)}/folders?${query}`, signal);
