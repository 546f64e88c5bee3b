/** Who did what. */

import { getJson } from "../client";
import type { AuditPage } from "./schema.gen";

export const askAudit = (query: URLSearchParams, signal?: AbortSignal) =>
  getJson<AuditPage>(`audit?${query}`, signal);
