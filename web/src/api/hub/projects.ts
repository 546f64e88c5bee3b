/** Projects and their members. */

import { getJson, patchJson, postJson, putJson, remove } from "../client";
import type { ChangeProject, CreateProject, Members, ProjectAnswer, Projects, SetMember } from "./schema.gen";

const one = (id: string) => `projects/${encodeURIComponent(id)}`;

export const askProjects = (signal?: AbortSignal) => getJson<Projects>("projects", signal);
export const createProject = (project: CreateProject) => postJson<ProjectAnswer>("projects", project);
export const changeProject = (id: string, changes: ChangeProject) =>
  patchJson<ProjectAnswer>(one(id), changes);
export const deleteProject = (id: string) => remove(one(id));
export const askMembers = (id: string, signal?: AbortSignal) =>
  getJson<Members>(`${one(id)}/members`, signal);
export const setMember = (id: string, member: SetMember) => putJson<Members>(`${one(id)}/members`, member);
export const removeMember = (id: string, account: string) =>
  remove(`${one(id)}/members/${encodeURIComponent(account)}`);
