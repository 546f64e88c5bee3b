/** The one door to the server: paths relative to the page, one kind of error, no knowledge of what is asked. */

import { sha256 } from "./digest";

const BASE = "api/v1/";

/** The server said no. `status` 0: it could not be reached at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  /** What programs may want to know besides. */
  readonly details: Record<string, unknown>;

  constructor(
    status: number,
    code: string,
    message: string,
    hint = "",
    details: Record<string, unknown> = {},
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.details = details;
  }

  /** No answer came: the server is gone or the network is. */
  get unreachable(): boolean {
    return this.status === 0;
  }
}

/** What the small script in the head has asked for already; each answer is used once. */
declare global {
  interface Window {
    lightboardBoot?: Record<string, Promise<Response>>;
  }
}

let heads: () => Record<string, string> = () => ({});

/** From now on every request has these headers as well. */
export function sendAlways(make: () => Record<string, string>): void {
  const before = heads;
  heads = () => ({ ...before(), ...make() });
}

/** Addresses end at 64 KiB, and in some proxies at 8: the query of a longer one goes as a body. */
const LONGEST_ADDRESS = 8000;

/** A read, however long its query is. */
function read(path: string, init: RequestInit): Promise<Response> {
  if (path.length <= LONGEST_ADDRESS) return send(path, init);
  const at = path.indexOf("?");
  const headers = {
    ...(init.headers as object),
    "content-type": "application/x-www-form-urlencoded",
    "x-http-method-override": "GET",
  };
  return send(path.slice(0, at), { ...init, method: "POST", headers, body: path.slice(at + 1) });
}

export async function getJson<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  const answer =
    early(path) ?? read(path, { headers: { accept: "application/json" }, signal: signal ?? null });
  return (await checked(answer)).json() as Promise<Body>;
}

export async function postJson<Body>(path: string, body?: unknown, signal?: AbortSignal): Promise<Body> {
  return told(await checked(send(path, posting(body, signal))));
}

export async function patchJson<Body>(path: string, body: unknown): Promise<Body> {
  return told(await checked(send(path, { ...posting(body), method: "PATCH" })));
}

export async function putJson<Body>(path: string, body?: unknown): Promise<Body> {
  return told(await checked(send(path, { ...posting(body), method: "PUT" })));
}

export async function getBytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await checked(read(path, { signal: signal ?? null }))).arrayBuffer();
}

/** Nothing is told of what is gone. */
export async function remove(path: string): Promise<void> {
  await checked(send(path, { method: "DELETE" }));
}

export async function postForBytes(path: string, body: unknown, signal?: AbortSignal): Promise<ArrayBuffer> {
  return (await checked(send(path, posting(body, signal)))).arrayBuffer();
}

/** The answer as it comes, for what may be large. */
export async function postForStream(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return checked(send(path, posting(body, signal)));
}

export function apiUrl(path: string): string {
  return BASE + path;
}

/** Where bytes can be had by their address alone, as pictures and downloads are. `name` is a parameter beside `run`.
 *
 * A digest stands for the two where they are too long for an address: `board/long_names.py`. */
export function mediaUrl(path: string, query: URLSearchParams, name = "tag"): string {
  const address = apiUrl(`${path}?${query}`);
  if (address.length <= LONGEST_ADDRESS) return address;
  const short = new URLSearchParams(query);
  short.set("of", digestOf(`${query.get("run")}\0${query.get(name)}`));
  short.delete("run");
  short.delete(name);
  return apiUrl(`${path}?${short}`);
}

/** Each name is asked for many times, and takes milliseconds. */
const digests = new Map<string, string>();

function digestOf(names: string): string {
  const known = digests.get(names) ?? sha256(names).slice(0, 32);
  digests.set(names, known);
  return known;
}

function early(path: string): Promise<Response> | null {
  const boot = typeof window === "undefined" ? undefined : window.lightboardBoot;
  const answer = boot?.[path] ?? null;
  if (boot && answer) delete boot[path];
  return answer;
}

function posting(body: unknown, signal?: AbortSignal): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  };
}

function send(path: string, init: RequestInit): Promise<Response> {
  return fetch(apiUrl(path), { ...init, headers: { ...heads(), ...(init.headers as object) } });
}

async function checked(answer: Promise<Response>): Promise<Response> {
  let response: Response;
  try {
    response = await answer;
  } catch (fault) {
    if (fault instanceof DOMException && fault.name === "AbortError") throw fault;
    throw new ApiError(0, "unreachable", String(fault));
  }
  if (response.ok) return response;
  throw await refusal(response);
}

/** 204 says that it is done, and nothing more. */
async function told<Body>(response: Response): Promise<Body> {
  return response.status === 204 ? (undefined as Body) : response.json();
}

interface Told {
  code: string;
  message: string;
  hint?: string;
  details?: Record<string, unknown>;
}

/** The error in the server's own words, or in HTTP's when something in between answered. */
async function refusal(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: Told };
    return new ApiError(response.status, error.code, error.message, error.hint, error.details);
  } catch {
    return new ApiError(response.status, "http", `${response.status} ${response.statusText}`.trim());
  }
}

export function isAbort(fault: unknown): boolean {
  return fault instanceof DOMException && fault.name === "AbortError";
}
