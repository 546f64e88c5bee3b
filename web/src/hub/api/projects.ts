/** Projects, their members, bindings, credentials and secrets. */

import { getJson, patchJson, postJson, putJson, remove } from "../../api/client";
import type {
  BindingResponse,
  Bindings,
  ChangeProject,
  CreateBinding,
  CreateProject,
  Credentials,
  Members,
  ProjectResponse,
  Projects,
  SecretResponse,
  Secrets,
  SetMember,
  SetSecret,
} from "../../api/hub-schema.gen";

const one = (id: string) => `projects/${encodeURIComponent(id)}`;

export const fetchProjects = (signal?: AbortSignal) => getJson<Projects>("projects", signal);
export const createProject = (project: CreateProject) => postJson<ProjectResponse>("projects", project);
export const changeProject = (id: string, changes: ChangeProject) =>
  patchJson<ProjectResponse>(one(id), changes);
export const deleteProject = (id: string) => remove(one(id));
export const fetchMembers = (id: string, signal?: AbortSignal) =>
  getJson<Members>(`${one(id)}/members`, signal);
export const setMember = (id: string, member: SetMember) => putJson<Members>(`${one(id)}/members`, member);
export const removeMember = (id: string, account: string) =>
  remove(`${one(id)}/members/${encodeURIComponent(account)}`);

const all = (project: string) => `projects/${encodeURIComponent(project)}/bindings`;

export const fetchBindings = (project: string, signal?: AbortSignal) =>
  getJson<Bindings>(all(project), signal);
export const createBinding = (project: string, binding: CreateBinding) =>
  postJson<BindingResponse>(all(project), binding);
export const deleteBinding = (project: string, id: string) =>
  remove(`${all(project)}/${encodeURIComponent(id)}`);

const allSecrets = (project: string) => `projects/${encodeURIComponent(project)}/secrets`;

export const fetchSecrets = (project: string, signal?: AbortSignal) =>
  getJson<Secrets>(allSecrets(project), signal);
export const putSecret = (project: string, name: string, secret: SetSecret) =>
  putJson<SecretResponse>(`${allSecrets(project)}/${encodeURIComponent(name)}`, secret);
export const deleteSecret = (project: string, name: string) =>
  remove(`${allSecrets(project)}/${encodeURIComponent(name)}`);

export const fetchCredentials = (project: string, signal?: AbortSignal) =>
  getJson<Credentials>(`credentials?project=${encodeURIComponent(project)}`, signal);
