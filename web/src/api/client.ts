/** The HTTP client of the pages: URLs relative to the page, one type of error. Knows no routes. */

import { trackWork } from "../lib/pending-work";
import { sha256 } from "./digest";

const BASE = "api/v1/";

/** An error response. `status` 0: the server could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  /** Further details for programs. */
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

  /** No response: the server or the network is down. */
  get unreachable(): boolean {
    return this.status === 0;
  }
}

/** Requests that the script in the page's head has already started; each response is used once. */
declare global {
  interface Window {
    lightboardBoot?: Record<string, Promise<Response>>;
  }
}

let heads: () => Record<string, string> = () => ({});

/** Adds these headers to every request from now on. */
export function addDefaultHeaders(make: () => Record<string, string>): void {
  const before = heads;
  heads = () => ({ ...before(), ...make() });
}

/** URLs may have 64 KiB, in some proxies 8: longer queries are sent as a body. */
const LONGEST_ADDRESS = 8000;

/** A GET request, or a POST if its query is too long for a URL. */
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

export function getJson<Body>(path: string, signal?: AbortSignal): Promise<Body> {
  const answer =
    early(path) ?? read(path, { headers: { accept: "application/json" }, signal: signal ?? null });
  return answered(answer, (response) => response.json() as Promise<Body>);
}

export function postJson<Body>(path: string, body?: unknown, signal?: AbortSignal): Promise<Body> {
  return answered(send(path, posting(body, signal)), parseBody<Body>);
}

/** As `postJson`; a request that is repeated with the same key and body takes effect once. */
export function postOnce<Body>(path: string, body: unknown, key: string): Promise<Body> {
  const init = posting(body);
  const headers = { ...(init.headers as object), "idempotency-key": key };
  return answered(send(path, { ...init, headers }), parseBody<Body>);
}

export function patchJson<Body>(path: string, body: unknown): Promise<Body> {
  return answered(send(path, { ...posting(body), method: "PATCH" }), parseBody<Body>);
}

export function putJson<Body>(path: string, body?: unknown): Promise<Body> {
  return answered(send(path, { ...posting(body), method: "PUT" }), parseBody<Body>);
}

export function getBytes(path: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  return answered(read(path, { signal: signal ?? null }), (response) => response.arrayBuffer());
}

/** A DELETE request has no response body. */
export async function remove(path: string): Promise<void> {
  await answered(send(path, { method: "DELETE" }), async () => {});
}

export function postForBytes(path: string, body: unknown, signal?: AbortSignal): Promise<ArrayBuffer> {
  return answered(send(path, posting(body, signal)), (response) => response.arrayBuffer());
}

/** Returns the response unread, for bodies that may be large. */
export function postForStream(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return answered(send(path, posting(body, signal)), async (response) => response);
}

export function apiUrl(path: string): string {
  return BASE + path;
}

/**
 * The URL of binary data, such as pictures and downloads. `name` is a parameter besides `run`.
 *
 * If the two are too long for a URL, a digest replaces them: see `board/long_names.py`.
 */
export function mediaUrl(path: string, query: URLSearchParams, name = "tag"): string {
  const address = apiUrl(`${path}?${query}`);
  if (address.length <= LONGEST_ADDRESS) return address;
  const short = new URLSearchParams(query);
  short.set("of", digestOf(`${query.get("run")}\0${query.get(name)}`));
  short.delete("run");
  short.delete(name);
  return apiUrl(`${path}?${short}`);
}

/** Digests are cached, since each takes milliseconds and names repeat. */
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

/** Responses to requests of the head script that nobody has used yet are for another account. */
export function dropEarlyResponses(): void {
  delete window.lightboardBoot;
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

/** The body of a response that must succeed; the page counts as busy until it is read. */
function answered<Body>(
  answer: Promise<Response>,
  body: (response: Response) => Promise<Body>,
): Promise<Body> {
  return trackWork(checked(answer).then(body));
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
  throw await errorFrom(response);
}

/** 204 has no body. */
async function parseBody<Body>(response: Response): Promise<Body> {
  return response.status === 204 ? (undefined as Body) : response.json();
}

interface ErrorBody {
  code: string;
  message: string;
  hint?: string;
  details?: Record<string, unknown>;
}

/** The error in the server's words, or in those of HTTP if a proxy answered. */
async function errorFrom(response: Response): Promise<ApiError> {
  try {
    const { error } = (await response.json()) as { error: ErrorBody };
    return new ApiError(response.status, error.code, error.message, error.hint, error.details);
  } catch {
    return new ApiError(response.status, "http", `${response.status} ${response.statusText}`.trim());
  }
}

export function isAbort(fault: unknown): boolean {
  return fault instanceof DOMException && fault.name === "AbortError";
}
