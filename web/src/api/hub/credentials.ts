/** Keys of object stores that the administrator laid down, by name only. */

import { getJson } from "../client";
import type { Credentials } from "./schema.gen";

export const askCredentials = (project: string, signal?: AbortSignal) =>
  getJson<Credentials>(`credentials?project=${encodeURIComponent(project)}`, signal);
