/**
 * Front proxy: one address before several servers, for people who try Baton and for tests. In production use a real one.
 *
 * Requests go to the living servers by turns. A request that no server has begun to answer is sent to the next one only if
 * that is safe: nothing was sent, or it may be repeated. A stream that breaks is closed, and its client resumes it.
 */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";

/** Headers that belong to one connection. */
const HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
/** Methods that may be repeated without a second effect. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The port of a proxy, and its servers. */
export interface FrontProxyOptions {
  readonly port: number;
  /** The URLs of the servers. They may come and go. */
  readonly servers: readonly string[];
}

/** Spreads requests over servers. */
export class FrontProxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #servers: readonly string[];
  readonly #agent = new Agent({ keepAlive: true });
  #next = 0;

  private constructor(server: Server, url: string, servers: readonly string[]) {
    this.#server = server;
    this.url = url;
    this.#servers = servers;
    server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#forward(incoming, outgoing, this.#servers.length);
    });
  }

  static async listen({ port, servers }: FrontProxyOptions): Promise<FrontProxy> {
    const server = createServer();
    // Streams stay open as long as their clients do.
    server.requestTimeout = 0;
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const own = typeof address === "object" && address !== null ? address.port : port;
    return new FrontProxy(server, `http://127.0.0.1:${own}`, servers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    this.#agent.destroy();
    await closed;
  }

  #forward(incoming: IncomingMessage, outgoing: ServerResponse, tries: number): void {
    const url = new URL(incoming.url ?? "/", this.#servers[this.#next++ % this.#servers.length]);
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !HOP.has(name)));
    const asked = request(url, {
      method: incoming.method,
      headers: { ...headers, host: url.host },
      agent: this.#agent,
    });
    let isSent = false;
    asked.on("response", (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      // Half an answer must not look like a whole one.
      answer.on("aborted", () => outgoing.destroy());
    });
    asked.on("error", () => {
      const isSafe = !isSent || REPEATABLE.has(incoming.method ?? "");
      if (outgoing.headersSent) outgoing.destroy();
      else if (isSafe && tries > 1 && !outgoing.destroyed) this.#forward(incoming, outgoing, tries - 1);
      else refuse(outgoing);
    });
    outgoing.on("close", () => asked.destroy());
    asked.on("socket", (socket) => {
      const send = (): void => {
        isSent = true;
        incoming.pipe(asked);
      };
      if (socket.connecting) socket.once("connect", send);
      else send();
    });
  }
}

function refuse(outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  const body = { type: "about:blank", title: "No server answers", status: 503, code: "unavailable" };
  outgoing.writeHead(503, { "content-type": "application/problem+json", "retry-after": "1" });
  outgoing.end(JSON.stringify(body));
}
