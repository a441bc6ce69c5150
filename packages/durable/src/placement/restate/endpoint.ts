/**
 * Endpoint: the HTTP/2 server that Restate calls with work, on 127.0.0.1 unless it is told otherwise.
 *
 * It closes in two steps: first it takes no new work, then it waits until what is under way has been answered.
 */
import { once } from "node:events";
import { createServer, type Http2Server, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { createEndpointHandler } from "@restatedev/restate-sdk/node";
import { defineServices, type ExecuteWork } from "./services.ts";

/** Time limit for an answer to reach Restate after its work has ended. */
const ANSWER_MS = 2_000;

/** Where an endpoint listens, and whom it listens to. */
export interface RestateEndpointOptions {
  /** The interface; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** A free port by default. */
  readonly port?: number | undefined;
  /** Public keys of the Restate servers that may call; on 127.0.0.1 none are needed. */
  readonly identityKeys?: readonly string[] | undefined;
}

/** A server for the calls of Restate. */
export class RestateEndpoint implements AsyncDisposable {
  readonly #clock: Clock;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #sockets = new Set<Socket>();
  readonly #closed: Promise<unknown>;

  private constructor(server: Http2Server, clock: Clock) {
    this.#clock = clock;
    this.#server = server;
    this.#closed = once(server, "close");
    server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("close", () => this.#sessions.delete(session));
      // A broken connection ends its streams; nothing else depends on it.
      session.on("error", () => session.destroy());
    });
    server.on("connection", (socket: Socket) => {
      this.#sockets.add(socket);
      socket.on("close", () => this.#sockets.delete(socket));
    });
  }

  static async listen(
    execute: ExecuteWork,
    clock: Clock,
    options: RestateEndpointOptions = {},
  ): Promise<RestateEndpoint> {
    const { host = "127.0.0.1", port = 0, identityKeys = [] } = options;
    const handler = createEndpointHandler({
      services: defineServices(execute),
      // What fails is tried again, and the engine reports what keeps failing.
      logger: () => undefined,
      ...(identityKeys.length > 0 && { identityKeys: [...identityKeys] }),
    });
    const server = createServer(handler);
    server.listen(port, host);
    await once(server, "listening");
    return new RestateEndpoint(server, clock);
  }

  /** Where Restate reaches it, if nothing stands between. */
  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || address === null) throw new BatonError("closed", "the endpoint is closed");
    return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /** Takes no new work. */
  close(): void {
    if (this.#server.listening) this.#server.close();
    for (const session of this.#sessions) session.close();
  }

  /** Waits a little for what is still being answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    const timer = this.#clock.after(ANSWER_MS, () => {
      for (const socket of this.#sockets) socket.destroy();
    });
    await this.#closed;
    timer.cancel();
  }
}
