/** Accounts, permissions, tokens, login and the audit log. */

import { getJson, patchJson, postJson, remove } from "../../api/client";
import type {
  AccountResponse,
  Accounts,
  AuditPage,
  ChangeAccount,
  ChangeMe,
  ChangePermissions,
  CreateAccount,
  CreateToken,
  Entry,
  Login,
  Me,
  Permissions,
  SetUp,
  TokenResponse,
  Tokens,
} from "../../api/hub-schema.gen";

export const fetchMe = (signal?: AbortSignal) => getJson<Me>("me", signal);
export const changeMe = (changes: ChangeMe) => patchJson<Me>("me", changes);
export const fetchAccounts = (signal?: AbortSignal) => getJson<Accounts>("accounts", signal);
export const createAccount = (account: CreateAccount) => postJson<AccountResponse>("accounts", account);
export const changeAccount = (id: string, changes: ChangeAccount) =>
  patchJson<AccountResponse>(`accounts/${encodeURIComponent(id)}`, changes);

export const fetchPermissions = (signal?: AbortSignal) => getJson<Permissions>("permissions", signal);
export const changePermissions = (changes: ChangePermissions) =>
  patchJson<Permissions>("permissions", changes);

export const fetchTokens = (signal?: AbortSignal) => getJson<Tokens>("tokens", signal);
export const createToken = (token: CreateToken) => postJson<TokenResponse>("tokens", token);
export const revokeToken = (id: string) => remove(`tokens/${encodeURIComponent(id)}`);

export const fetchEntry = (signal?: AbortSignal) => getJson<Entry>("entry", signal);
export const logIn = (login: Login) => postJson<Me>("login", login);
export const logOut = () => postJson<unknown>("logout");
export const setUp = (account: SetUp) => postJson<Me>("setup", account);

export const fetchAuditPage = (query: URLSearchParams, signal?: AbortSignal) =>
  getJson<AuditPage>(`audit?${query}`, signal);
