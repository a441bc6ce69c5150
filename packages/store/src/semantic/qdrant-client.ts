/**
 * Qdrant client: the part of Qdrant's REST API that the index needs, with every answer checked.
 *
 * Each request has a time limit. Everything but the answer that was asked for is an error, and no error has the key.
 */
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { parseJson, toMessage } from "@baton/core/util";
import { isQdrantUrl } from "../service-url.ts";

/** Address and options of a Qdrant. */
export interface QdrantClientOptions {
  /** `http://host:6333`; a password in it is the API key, `?prefix=NAME` what its collections begin with. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly fetch?: typeof globalThis.fetch;
  readonly timeoutMs?: number;
  readonly clock: Clock;
}

/** One request. */
export interface QdrantRequest {
  readonly method: "GET" | "PUT" | "POST";
  /** Below the address, with a slash first. */
  readonly path: string;
  readonly body?: object;
  /** A status that is as good as success; then there is no result. */
  readonly orStatus?: number;
}

const TIMEOUT_MS = 3_000;
const PREFIX = "baton";
const MAX_DETAIL_CHARS = 200;

/** Sends requests to one Qdrant. */
export class QdrantClient {
  /** Prefix of its collections. */
  readonly prefix: string;
  readonly #base: string;
  readonly #key: string | undefined;
  readonly #options: QdrantClientOptions;

  constructor(options: QdrantClientOptions) {
    const { base, key, prefix } = parseUrl(options.url);
    this.prefix = prefix;
    this.#base = base;
    this.#key = key ?? options.key;
    this.#options = options;
  }

  /** The `result` of the answer. */
  async ask({ method, path, body, orStatus }: QdrantRequest): Promise<unknown> {
    const { clock, fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS } = this.#options;
    const aborting = new AbortController();
    const timer = clock.after(timeoutMs, () => aborting.abort(toQdrantError(`no answer within ${timeoutMs} ms`)));
    try {
      const response = await fetch(`${this.#base}${path}`, {
        method,
        redirect: "error",
        headers: {
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(this.#key === undefined ? {} : { "api-key": this.#key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: aborting.signal,
      });
      const text = await response.text();
      return response.status === orStatus ? undefined : readResult(text, response.status);
    } catch (error) {
      if (error instanceof BatonError) throw error;
      throw toQdrantError(toReason(error));
    } finally {
      timer.cancel();
    }
  }
}

function parseUrl(url: string): { readonly base: string; readonly key: string | undefined; readonly prefix: string } {
  if (!isQdrantUrl(url)) throw new BatonError("invalid", "--qdrant must look like http://host:6333");
  const { origin, pathname, password, searchParams } = new URL(url);
  return {
    base: `${origin}${pathname.endsWith("/") ? pathname.slice(0, -1) : pathname}`,
    key: password === "" ? undefined : decode(password),
    prefix: searchParams.get("prefix") ?? PREFIX,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readResult(text: string, status: number): unknown {
  const parsed = parseJson(text);
  const answer = isRecord(parsed) ? parsed : undefined;
  if (status >= 200 && status < 300 && answer !== undefined && answer["status"] === "ok" && "result" in answer)
    return answer["result"];
  const said = answer?.["status"];
  const error = isRecord(said) ? said["error"] : undefined;
  const detail = typeof error === "string" ? error.slice(0, MAX_DETAIL_CHARS) : "";
  const what = answer === undefined ? "what came back is not JSON" : detail;
  throw toQdrantError(`HTTP ${status}${what === "" ? "" : `: ${what}`}`);
}

/** Whether anything is an object with keys. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The error of a request. */
export function toQdrantError(why: string): BatonError {
  return new BatonError("busy", `Qdrant cannot be used now (--qdrant): ${why}`, { retryable: true });
}

/** The reason of a lost connection is in the cause of `fetch`'s error. */
function toReason(error: unknown): string {
  const cause: unknown = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const errors: readonly unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return toMessage(errors[0]) || "no connection";
}
