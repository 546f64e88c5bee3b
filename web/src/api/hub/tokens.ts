/** One's own tokens. */

import { getJson, postJson, remove } from "../client";
import type { CreateToken, TokenAnswer, Tokens } from "./schema.gen";

export const askTokens = (signal?: AbortSignal) => getJson<Tokens>("tokens", signal);
export const createToken = (token: CreateToken) => postJson<TokenAnswer>("tokens", token);
export const revokeToken = (id: string) => remove(`tokens/${encodeURIComponent(id)}`);
