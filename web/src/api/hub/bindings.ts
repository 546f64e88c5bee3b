/** What projects may use: folders, addresses, credentials and datasets, bound by administrators. */

import { getJson, postJson, remove } from "../client";
import type { BindingAnswer, Bindings, CreateBinding } from "./schema.gen";

const all = (project: string) => `projects/${encodeURIComponent(project)}/bindings`;

export const askBindings = (project: string, signal?: AbortSignal) => getJson<Bindings>(all(project), signal);
export const createBinding = (project: string, binding: CreateBinding) =>
  postJson<BindingAnswer>(all(project), binding);
export const deleteBinding = (project: string, id: string) =>
  remove(`${all(project)}/${encodeURIComponent(id)}`);
