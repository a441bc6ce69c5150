/**
 * Endpoint: one server, as requests to it.
 *
 * An answer that is not a success is thrown as `ClientError`, and so is a missing answer; an abort of the caller is
 * thrown unchanged.
 */
import { type BackoffLimits, reconnectDelayMs, waitMs } from "./backoff.ts";
import { ClientError, toClientError } from "./client-error.ts";
import { parseText } from "./json-value.ts";
import type { SharedSocket } from "./shared-socket.ts";

/** Where the server is, and how to send requests to it. */
export interface Endpoint {
  /** Without a slash at its end; empty for the page's own server. */
  readonly url: string;
  readonly key: string | undefined;
  readonly fetch: typeof fetch;
  readonly backoff: BackoffLimits;
  /** Silence after which a stream is closed. */
  readonly silenceMs: number;
  /** Carries starts, commands and events, if it is there. */
  readonly socket?: SharedSocket;
}

/** One HTTP request to the server. */
export interface Query {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Segments, not yet encoded. */
  readonly path: readonly string[];
  readonly search?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** Sent as it is, with a `Content-Type` of its own in `headers`. */
  readonly text?: string;
  readonly abort?: AbortSignal | undefined;
}

/** Tries of one request that may be sent again. */
const MAX_TRIES = 5;

/** The server's answer, with its body still to be read. */
export async function send(endpoint: Endpoint, query: Query): Promise<Response> {
  const { method = "GET", body, text, abort } = query;
  const init: RequestInit = { method, headers: toHeaders(endpoint, query), cache: "no-store" };
  if (body !== undefined) init.body = JSON.stringify(body);
  else if (text !== undefined) init.body = text;
  if (abort !== undefined) init.signal = abort;
  const url = toUrl(endpoint, query);
  const answered = await guard(abort, () => endpoint.fetch(url, init));
  if (!answered.ok) throw await toClientError(answered);
  return answered;
}

/** The JSON of the server's answer; undefined if it has no body. */
export async function ask(endpoint: Endpoint, query: Query): Promise<unknown> {
  const response = await send(endpoint, query);
  const text = await guard(query.abort, () => response.text());
  if (text === "") return undefined;
  const value = parseText(text);
  return value === undefined ? invalidAnswer("is not JSON") : value;
}

/** Options of tries. */
interface Tries extends Pick<Endpoint, "backoff"> {
  readonly tries: number | undefined;
  readonly abort: AbortSignal | undefined;
}

/** Does idempotent work, again if that may help. */
export async function tryAgain<T>({ backoff, tries = MAX_TRIES, abort }: Tries, work: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ClientError) || !canRepeat(error) || failures + 1 >= tries) throw error;
      await waitMs(reconnectDelayMs({ failures, askedMs: error.retryAfterMs }, backoff), abort);
    }
  }
}

/** Throws that the answer is not a Baton server's. */
export function invalidAnswer(what: string): never {
  throw new ClientError("invalid_answer", `The answer ${what}; is this a Baton server?`);
}

/** The first try may still be running. */
function canRepeat({ isPassing, code }: ClientError): boolean {
  return isPassing || code === "idempotency_in_flight";
}

async function guard<T>(abort: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  abort?.throwIfAborted();
  try {
    return await work();
  } catch (error) {
    abort?.throwIfAborted();
    throw new ClientError("network", "The server cannot be reached", { cause: error });
  }
}

function toHeaders({ key }: Endpoint, { headers, body }: Query): Record<string, string> {
  return {
    Accept: "application/json",
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
    ...headers,
  };
}

function toUrl({ url }: Endpoint, { path, search = {} }: Query): string {
  const given = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(given).toString();
  return `${url}/api/${path.map(toSegment).join("/")}${text === "" ? "" : `?${text}`}`;
}

/** Dots alone would be another path, encoded or not. */
function toSegment(text: string): string {
  if (text !== "" && text !== "." && text !== "..") return encodeURIComponent(text);
  throw new ClientError("invalid", `"${text}" is not a valid id`);
}
