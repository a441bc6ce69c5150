/**
 * Log server: a real HTTP server on a port of its own that serves one run's log, as badly as a test wants.
 *
 * What each connection does is a function of how many there were before it and of where it begins.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { RunEvent } from "@baton/core";

/** The behavior of the server on one connection. */
export type Conduct =
  /** Sends frames beyond `after`, cut after so many bytes; `end` cleanly, else the socket is destroyed. */
  | { readonly type: "stream"; readonly cutAt?: number; readonly end?: boolean; readonly frames?: readonly string[] }
  /** As `stream`, but says nothing further and stays open. */
  | { readonly type: "stall"; readonly frames?: readonly string[] }
  /** Answers nothing at all. */
  | { readonly type: "mute" }
  | {
      readonly type: "answer";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

/** One request, as it came. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A connection at its beginning. */
export interface Incoming {
  /** Connections before it. */
  readonly number: number;
  readonly after: number;
  readonly method: string;
  readonly path: string;
}

export type Choose = (connection: Incoming) => Conduct;

/** Serves until it is disposed of. */
export class LogServer implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #events: readonly RunEvent[];
  #choose: Choose;
  #server: Server | undefined;
  #port = 0;
  #next = 0;

  constructor(events: readonly RunEvent[], choose: Choose = () => ({ type: "stream", end: true })) {
    this.#events = events;
    this.#choose = choose;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Changes what the next connections do, and counts them from 0 again. */
  set choose(choose: Choose) {
    this.#choose = choose;
    this.#next = 0;
  }

  /** Listens; again on the same port after a stop. */
  async listen(): Promise<this> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
    this.#server = server;
    return this;
  }

  /** Cuts every connection and lets go of the port. */
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const body = Buffer.concat(await Array.fromAsync(request, (part: Buffer) => part)).toString();
    this.received.push({ method, url, headers, body });
    const { searchParams, pathname: path } = new URL(url, this.url);
    const after = Number(searchParams.get("after") ?? 0);
    const conduct = this.#choose({ number: this.#next++, after, method, path });
    if (conduct.type === "mute") return;
    if (conduct.type === "answer") {
      response.writeHead(conduct.status, conduct.headers).end(conduct.body);
      return;
    }
    const { frames = toFrames(this.#events.filter(({ seq }) => seq > after)) } = conduct;
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.flushHeaders();
    await send(response, Buffer.from(frames.join("")), conduct);
  }
}

/** Events as the baton dialect sends them. */
export function toFrames(events: readonly RunEvent[]): readonly string[] {
  return events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
}

async function send(response: ServerResponse, bytes: Buffer, conduct: Conduct): Promise<void> {
  const cutAt = conduct.type === "stream" ? conduct.cutAt : undefined;
  const part = bytes.subarray(0, cutAt);
  if (part.length > 0) await new Promise((resolve) => response.write(part, resolve));
  if (conduct.type === "stall") return;
  if (conduct.type === "stream" && conduct.end === true) response.end();
  else response.destroy();
}
