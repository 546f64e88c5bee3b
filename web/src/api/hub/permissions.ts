/** What accounts are permitted where nothing else is said for them. */

import { getJson, patchJson } from "../client";
import type { ChangePermissions, Permissions } from "./schema.gen";

export const askPermissions = (signal?: AbortSignal) => getJson<Permissions>("permissions", signal);
export const changePermissions = (changes: ChangePermissions) =>
  patchJson<Permissions>("permissions", changes);
