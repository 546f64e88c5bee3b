/** Accounts: one's own, and all of them for administrators. */

import { getJson, patchJson, postJson } from "../client";
import type { AccountAnswer, Accounts, ChangeAccount, ChangeMe, CreateAccount, Me } from "./schema.gen";

export const askMe = (signal?: AbortSignal) => getJson<Me>("me", signal);
export const changeMe = (changes: ChangeMe) => patchJson<Me>("me", changes);
export const askAccounts = (signal?: AbortSignal) => getJson<Accounts>("accounts", signal);
export const createAccount = (account: CreateAccount) => postJson<AccountAnswer>("accounts", account);
export const changeAccount = (id: string, changes: ChangeAccount) =>
  patchJson<AccountAnswer>(`accounts/${encodeURIComponent(id)}`, changes);
