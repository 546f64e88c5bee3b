/** Keys of object stores that the administrator laid down, by name only. */

import { getJson } from "../client";

export interface Credentials {
  items: string[];
}

export const askCredentials = (signal?: AbortSignal) => getJson<Credentials>("credentials", signal);
