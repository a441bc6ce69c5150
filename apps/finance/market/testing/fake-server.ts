/**
 * Fake server: an HTTP service on this machine's loopback that answers as a test says, counts what it is asked, and
 * can be taken down as a whole.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** A fault of the whole server. */
export type Fault =
  | "none"
  | "down" // breaks every connection
  | "slow" // never answers
  | "error" // status 500
  | "throttled" // status 429
  | "blocked" // status 451
  | "html" // a maintenance page with status 200
  | "json"; // broken JSON

/** A request as it came. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A reply of the server. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** `cut`: the connection breaks in the middle of the body; `hang`: nothing is ever sent. */
  readonly end?: "cut" | "hang" | "reset";
}

/** Answers a request. */
export type Answer = (seen: Seen) => Reply;

const FAULTS: Readonly<Record<Exclude<Fault, "none">, Reply>> = {
  down: { body: "", end: "reset" },
  slow: { body: "", end: "hang" },
  error: { status: 500, body: "oops", headers: { "content-type": "text/plain" } },
  throttled: { status: 429, body: "{}" },
  blocked: { status: 451, body: "{}" },
  html: { body: "<!DOCTYPE html><title>Maintenance</title>", headers: { "content-type": "text/html; charset=utf-8" } },
  json: { body: '[{"symbol": "AA' },
};

/** A running server, until it is disposed of. */
export class FakeServer implements AsyncDisposable {
  /** The fault of the whole server; it can be changed at any time. */
  fault: Fault = "none";
  readonly url: string;
  readonly #server: Server;
  readonly #seen: Seen[] = [];
  readonly #watchers = new Set<() => void>();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  /** Starts one under a path prefix such as `/stable`. */
  static async start(answer: Answer, prefix = ""): Promise<FakeServer> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const fake = new FakeServer(server, `http://127.0.0.1:${port}${prefix}`);
    const respond = async (request: IncomingMessage, response: ServerResponse) => {
      const seen = toSeen(request, await read(request), prefix);
      const reply = fake.#note(seen);
      send(reply ?? answer(seen), response);
    };
    server.on("request", (request, response) => {
      respond(request, response).catch(() => response.destroy());
    });
    return fake;
  }

  #note(seen: Seen): Reply | undefined {
    this.#seen.push(seen);
    for (const watcher of this.#watchers) watcher();
    return this.fault === "none" ? undefined : FAULTS[this.fault];
  }

  /** All requests so far. */
  get requests(): readonly Seen[] {
    return this.#seen;
  }

  /** Counts the requests, those to one path if it is given. */
  count(path?: string): number {
    return this.#seen.filter((seen) => path === undefined || seen.path === path).length;
  }

  /** Resolves once there have been so many requests. */
  async seen(count: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = () => {
        if (this.#seen.length < count) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Resolves once no connection is open. */
  async idle(): Promise<void> {
    while ((await this.connections()) > 0) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Connections that are open. */
  async connections(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function toSeen(request: IncomingMessage, body: string, prefix: string): Seen {
  const url = new URL(request.url ?? "/", "http://localhost");
  const path = url.pathname.startsWith(prefix) ? url.pathname.slice(prefix.length) : url.pathname;
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? "", path, query: new Map(url.searchParams), headers, body };
}

function send({ status = 200, headers = {}, body, end }: Reply, response: ServerResponse): void {
  if (end === "hang") return;
  if (end === "reset") {
    response.destroy();
    return;
  }
  const length = Buffer.byteLength(body) + (end === "cut" ? 1_000 : 0);
  response.writeHead(status, { "content-type": "application/json", "content-length": length, ...headers });
  if (end === "cut") response.write(body, () => response.destroy());
  else response.end(body);
}
