/** Getting in and out. */

import { getJson, postJson } from "../client";
import type { Entry, Login, Me, SetUp } from "./schema.gen";

export const askEntry = (signal?: AbortSignal) => getJson<Entry>("entry", signal);
export const logIn = (login: Login) => postJson<Me>("login", login);
export const logOut = () => postJson<unknown>("logout");
export const setUp = (account: SetUp) => postJson<Me>("setup", account);
