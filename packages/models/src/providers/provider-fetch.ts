/**
 * Provider fetch: the `fetch` that a provider's package is given.
 *
 * It merges an agent's own fields into the request, reports to its call when the response has begun, guards the
 * stream's events, and rejects a web page instead of a stream. It follows no redirect, so that a prompt reaches only the
 * address that the user set. The platform keeps and reuses sockets.
 */
import { parseJson } from "@baton/core/util";
import { isJsonObject, type JsonObject, mergeJson } from "../json.ts";
import { type EventFilter, guardEvents, type EventFormat } from "./stream/event-guard.ts";
import { modelError } from "./failure.ts";

/** A call that is watched: its part of the request, and its limits on the response. */
export interface WatchedCall {
  /** Called when the response has begun. */
  readonly begun: () => void;
  /** Fields of the request, over what the provider's package sets. */
  readonly fields?: JsonObject | undefined;
  /** The most characters that the reply may have. */
  readonly maxChars: number;
  /** The form of its stream. */
  readonly format: EventFormat;
  readonly unknownType: EventFilter;
  readonly onSkip: (type: string) => void;
}

/** Characters of JSON for one of text, at most, and what an event has beside the reply and the request it may repeat. */
const CHARS_PER_CHAR = 3;
const MORE_CHARS = 64 * 1_024;
/** Of the message of an error. */
const MAX_ERROR_BYTES = 64 * 1_024;

/** A `fetch` that knows the call of each request by its abort. */
export class ProviderFetch {
  readonly #model: string;
  readonly #watched = new WeakMap<AbortSignal, WatchedCall>();

  constructor(model: string) {
    this.#model = model;
  }

  /** Watches the request with this abort. */
  watch(abort: AbortSignal, call: WatchedCall): void {
    this.#watched.set(abort, call);
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const abort = init?.signal;
    const call = abort === null || abort === undefined ? undefined : this.#watched.get(abort);
    const body = call?.fields === undefined ? init?.body : mergeBody(init?.body, call.fields);
    const response = await globalThis.fetch(input, { ...init, ...(body && { body }), redirect: "manual" });
    call?.begun();
    await this.#refuseRedirect(response);
    if (response.ok && (response.headers.get("content-type") ?? "").startsWith("text/html")) {
      await response.body?.cancel();
      const detail = "a web page came back; is the address right?";
      throw modelError(this.#model, "malformed", { detail, retryable: false });
    }
    if (call === undefined || response.body === null) return response;
    if (!response.ok) return withBody(response, cut(response.body, MAX_ERROR_BYTES));
    const sentChars = typeof body === "string" ? body.length : 0;
    return this.#guard(response, call, sentChars);
  };

  #guard(response: Response, call: WatchedCall, sentChars: number): Response {
    if (response.body === null) return response;
    const maxChars = call.maxChars * CHARS_PER_CHAR + sentChars + MORE_CHARS;
    return withBody(response, guardEvents(response.body, { ...call, model: this.#model, maxChars }));
  }

  async #refuseRedirect({ status, headers, body }: Response): Promise<void> {
    if (status < 300 || status >= 400) return;
    await body?.cancel();
    // Only the origin: the rest of an address may hold a secret.
    const target = URL.parse(headers.get("location") ?? "")?.origin ?? "another address";
    const detail = `it redirects to ${target}, and Baton follows no redirects with a prompt; if that is right, set it as the provider's address`;
    throw modelError(this.#model, "request", { detail, status, retryable: false });
  }
}

function withBody(response: Response, body: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  // The body is decoded, and its length has changed.
  for (const name of ["content-length", "content-encoding"]) headers.delete(name);
  return new Response(body, { status, statusText, headers });
}

/** The first bytes of a body. */
function cut(body: ReadableStream<Uint8Array<ArrayBuffer>>, maxBytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = maxBytes;
  return body.pipeThrough(
    new TransformStream({
      transform(bytes, controller) {
        controller.enqueue(bytes.subarray(0, left));
        left -= bytes.length;
        if (left <= 0) controller.terminate();
      },
    }),
  );
}

function mergeBody(body: BodyInit | null | undefined, fields: JsonObject): BodyInit | null | undefined {
  const sent = typeof body === "string" ? parseJson(body) : undefined;
  return isJsonObject(sent) ? JSON.stringify(mergeJson(sent, fields)) : body;
}
