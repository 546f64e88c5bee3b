/** Invitations to projects, sent and received. */

import { getJson, postJson, putJson, remove } from "../../api/client";
import type { InvitationResponse, Invitations, Invite, ProjectResponse } from "../../api/hub-schema.gen";

const to = (project: string) => `projects/${encodeURIComponent(project)}/invitations`;
const one = (id: string) => `invitations/${encodeURIComponent(id)}`;

export const fetchInvitations = (signal?: AbortSignal) => getJson<Invitations>("invitations", signal);
export const fetchSentInvitations = (project: string, signal?: AbortSignal) =>
  getJson<Invitations>(to(project), signal);
export const invite = (project: string, whom: Invite) => postJson<InvitationResponse>(to(project), whom);
export const withdraw = (project: string, id: string) => remove(`${to(project)}/${encodeURIComponent(id)}`);
export const accept = (id: string) => putJson<ProjectResponse>(`${one(id)}/accept`);
export const decline = (id: string) => putJson<void>(`${one(id)}/decline`);
