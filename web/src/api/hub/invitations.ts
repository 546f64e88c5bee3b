/** Invitations to projects: those one sends, and those one has. */

import { getJson, postJson, putJson, remove } from "../client";
import type { InvitationAnswer, Invitations, Invite, ProjectAnswer } from "./schema.gen";

const to = (project: string) => `projects/${encodeURIComponent(project)}/invitations`;
const one = (id: string) => `invitations/${encodeURIComponent(id)}`;

export const askInvitations = (signal?: AbortSignal) => getJson<Invitations>("invitations", signal);
export const askSent = (project: string, signal?: AbortSignal) => getJson<Invitations>(to(project), signal);
export const invite = (project: string, whom: Invite) => postJson<InvitationAnswer>(to(project), whom);
export const withdraw = (project: string, id: string) => remove(`${to(project)}/${encodeURIComponent(id)}`);
export const accept = (id: string) => putJson<ProjectAnswer>(`${one(id)}/accept`);
export const decline = (id: string) => putJson<void>(`${one(id)}/decline`);
