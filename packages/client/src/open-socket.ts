/**
 * Open socket: one WebSocket of a server, from its greeting to its close.
 *
 * Replies and events go to those that asked for them. Its close is an error for all of them.
 */
import { ClientError, fromReply } from "./client-error.ts";
import { isObject, parseText } from "./json-value.ts";

/** A server's WebSocket, and what is sent to it. */
export interface SocketOptions {
  readonly url: URL;
  readonly key: string | undefined;
  /** The longest silence before the client asks whether the server is there. */
  readonly pingMs: number;
}

type Fields = Readonly<Record<string, unknown>>;

/** The reader of one follow. */
export interface FollowReader {
  /** A message of the follow. */
  readonly take: (message: Fields) => void;
  /** The socket was closed. */
  readonly fail: (error: ClientError) => void;
}

const PROTOCOL = "baton.v1";
const UNAUTHORIZED = 4401;

/** A socket that is opening or open. */
export class OpenSocket {
  /** Resolves when ops can be sent. */
  readonly ready: Promise<void>;
  readonly #socket: WebSocket;
  readonly #options: SocketOptions;
  readonly #replies = new Map<string, PromiseWithResolvers<Fields>>();
  readonly #readers = new Map<string, FollowReader>();
  readonly #opening = Promise.withResolvers<void>();
  readonly #timer: ReturnType<typeof setInterval>;
  #next = 0;
  #isSilent = false;
  #isClosed = false;

  constructor(options: SocketOptions, closed: () => void) {
    const url = new URL(options.url);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    this.#options = options;
    this.#socket = new WebSocket(url, PROTOCOL);
    this.ready = this.#opening.promise;
    // Those who wait for it have the error.
    this.ready.catch(() => {});
    this.#socket.addEventListener("message", ({ data }) => this.#take(parseText(String(data))));
    this.#socket.addEventListener("close", ({ code, reason }) => {
      closed();
      this.#fail(toError(code, reason));
    });
    this.#timer = setInterval(() => this.#watch(), options.pingMs);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends an op; resolves with its reply. */
  async ask(op: Fields, reader?: FollowReader): Promise<Fields> {
    await this.ready;
    return this.#send(op, reader);
  }

  /** Ends a follow; nothing more of it is read. */
  unfollow(reader: FollowReader): void {
    for (const [on, known] of this.#readers) {
      if (known !== reader) continue;
      this.#readers.delete(on);
      if (!this.#isClosed) this.#send({ op: "unfollow", on }).catch(() => {});
    }
  }

  close(): void {
    this.#socket.close();
    this.#fail(new ClientError("network", "The client was closed"));
  }

  #send(op: Fields, reader?: FollowReader): Promise<Fields> {
    const id = String(++this.#next);
    const reply = Promise.withResolvers<Fields>();
    if (this.#isClosed) return Promise.reject(new ClientError("network", "The connection was interrupted"));
    this.#replies.set(id, reply);
    if (reader !== undefined) this.#readers.set(id, reader);
    this.#socket.send(JSON.stringify({ ...op, id }));
    return reply.promise;
  }

  #take(message: unknown): void {
    this.#isSilent = false;
    if (!isObject(message)) return;
    const { hello, re, on, ok, ...fields } = message;
    if (hello === PROTOCOL) return this.#greet(message["auth"] === "needed");
    if (typeof on === "string") return this.#readers.get(on)?.take(message);
    if (typeof re !== "string") return;
    const reply = this.#replies.get(re);
    this.#replies.delete(re);
    if (ok === true) return reply?.resolve(fields);
    this.#readers.delete(re);
    reply?.reject(fromReply(message["error"]));
  }

  #greet(needsKey: unknown): void {
    const { key } = this.#options;
    if (needsKey !== true) return this.#opening.resolve();
    if (key === undefined) return this.#fail(toRefused("The server needs a key"));
    this.#send({ op: "auth", key }).then(
      () => this.#opening.resolve(),
      (error: unknown) => this.#opening.reject(error),
    );
  }

  /** Asks a silent server whether it is there, and gives a silent one up. */
  #watch(): void {
    if (this.#isSilent) return this.close();
    this.#isSilent = true;
    if (this.#socket.readyState === WebSocket.OPEN) this.#send({ op: "ping" }).catch(() => {});
  }

  #fail(error: ClientError): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#opening.reject(error);
    for (const reply of this.#replies.values()) reply.reject(error);
    for (const reader of this.#readers.values()) reader.fail(error);
    this.#replies.clear();
    this.#readers.clear();
    this.#socket.close();
  }
}

function toRefused(detail: string): ClientError {
  return fromReply({ status: 401, code: "invalid_api_key", detail });
}

function toError(code: number, reason: string): ClientError {
  if (code === UNAUTHORIZED) return toRefused(reason);
  return new ClientError("network", reason === "" ? "The connection was interrupted" : reason);
}
