/**
 * HTTP transport: a server behind a URL. The SDK's transport, with bounds on what is read.
 *
 * A body that is too large is not read to its end, and a stream that ends without its answer fails the request at once.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { type JSONRPCMessage, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { omitUndefined } from "@baton/core/util";
import type { WireRules } from "./wire-rules.ts";

/** Settings of a connection over HTTP. */
export interface HttpOptions {
  readonly rules: WireRules;
  readonly headers: Readonly<Record<string, string>>;
  /** The token of the next request, if the server asks for one. */
  readonly token: () => Promise<string | undefined>;
  /** Told of an answer that asks for a sign-in, or for more of one. */
  readonly onChallenge?: (response: Response) => void;
}

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const NO_RECONNECTS = {
  maxRetries: 2,
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
};

/** The connection to one server. */
export class HttpTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport["onmessage"];
  readonly hasPerRequestStream = true;
  readonly #rules: WireRules;
  readonly #onChallenge: HttpOptions["onChallenge"];
  readonly #inner: StreamableHTTPClientTransport;
  /** The request that a `fetch` belongs to. */
  readonly #request = new AsyncLocalStorage<string | number | undefined>();

  constructor(url: string, { rules, headers, token, onChallenge }: HttpOptions) {
    this.#rules = rules;
    this.#onChallenge = onChallenge;
    this.#inner = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers },
      fetch: withToken(this.#fetch, token),
      reconnectionOptions: NO_RECONNECTS,
    });
    Object.assign(this.#inner, {
      onclose: () => this.onclose?.(),
      onerror: (error: Error) => this.onerror?.(error),
      onmessage: (message: JSONRPCMessage) => this.onmessage?.(rules.received(message, sizeOf(message))),
    });
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: Parameters<Transport["send"]>[1]): Promise<void> {
    const id = "method" in message && "id" in message ? message.id : undefined;
    return this.#request.run(id, () => this.#inner.send(this.#rules.sent(message), omitUndefined(options ?? {})));
  }

  async close(): Promise<void> {
    if (this.#inner.sessionId !== undefined) await this.#inner.terminateSession().catch(() => {});
    await this.#inner.close();
  }

  readonly #fetch: Fetch = async (url, init) => {
    const id = this.#request.getStore();
    const response = await fetch(url, init);
    if (response.status === 401 || response.status === 403) this.#onChallenge?.(response);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const body = response.body.pipeThrough(this.#bound(id, isStream ? "stream" : "body"));
    return new Response(body, response);
  };

  /** Counts the bytes of a body, or of each event of a stream. */
  #bound(id: string | number | undefined, kind: "stream" | "body"): TransformStream<Uint8Array, Uint8Array> {
    const { maxBytes } = this.#rules;
    const isStream = kind === "stream";
    let bytes = 0;
    let isResumable = false;
    return new TransformStream({
      transform: (chunk, controller) => {
        const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        const end = isStream ? Math.max(text.lastIndexOf("\n\n"), text.lastIndexOf("\r\n\r\n")) : -1;
        bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
        isResumable ||= isStream && (text.indexOf("id:") === 0 || text.includes("\nid:"));
        if (bytes <= maxBytes) {
          controller.enqueue(chunk);
          return;
        }
        if (id !== undefined) this.#answer(this.#rules.refuse(id, bytes));
        controller.error(new Error(`the answer is larger than ${maxBytes} bytes`));
      },
      flush: () => {
        if (isStream && id !== undefined && !isResumable) this.#interrupt(id);
      },
    });
  }

  /** Fails a request whose stream has ended, once the client had the time to read the last event. */
  #interrupt(id: string | number): void {
    setTimeout(() => this.#answer(this.#rules.interrupt(id, "the stream ended without an answer")), 50).unref();
  }

  #answer(message: JSONRPCMessage | undefined): void {
    if (message !== undefined) this.onmessage?.(message);
  }
}

function sizeOf(message: JSONRPCMessage): number {
  return Buffer.byteLength(JSON.stringify(message));
}

function withToken(send: Fetch, token: HttpOptions["token"]): Fetch {
  return async (url, init) => {
    const given = await token();
    const headers = new Headers(init?.headers);
    if (given !== undefined) headers.set("authorization", `Bearer ${given}`);
    return send(url, { ...init, headers });
  };
}
