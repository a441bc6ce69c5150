/**
 * Worker proxy: one URL for several workers, because Restate knows one URL for all of them.
 *
 * Restate sends many calls over one connection, so calls are spread, not connections: each goes to the living worker with the
 * fewest. The calls of a worker that dies, or answers no ping for about two seconds, are reset: Restate sends them again.
 */
import { once } from "node:events";
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import { BatonError } from "@baton/core";
import type { Clock } from "@baton/core/ports";

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = constants;

/** Interval of pings, the pings that may stay unanswered, and the pause before a reconnect. */
const PING_MS = 500;
const MAX_UNANSWERED = 3;
const RECONNECT_MS = 200;

/** Options of a proxy in front of workers. */
export interface WorkerProxyOptions {
  readonly clock: Clock;
  /** The endpoints of the workers. They may come and go. */
  readonly workers: readonly string[];
  /** The interface; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** A free port by default. */
  readonly port?: number | undefined;
}

/** Spreads the calls of Restate over workers. */
export class WorkerProxy implements AsyncDisposable {
  readonly url: string;
  readonly #server: Http2Server;
  readonly #sessions = new Set<ServerHttp2Session>();
  /** The one that was chosen last is last. */
  #workers: readonly Worker[];

  private constructor(server: Http2Server, url: string, workers: readonly Worker[]) {
    this.#server = server;
    this.url = url;
    this.#workers = workers;
    server.on("stream", (stream, headers) => this.#forward(stream, headers));
    server.on("session", (session) => {
      this.#sessions.add(session);
      session.on("close", () => this.#sessions.delete(session));
      session.on("error", () => session.destroy());
    });
  }

  static async listen({ clock, workers, host = "127.0.0.1", port = 0 }: WorkerProxyOptions): Promise<WorkerProxy> {
    const server = createServer();
    server.listen(port, host);
    await once(server, "listening");
    const address = server.address();
    const own = typeof address === "object" && address !== null ? address.port : port;
    const upstream = workers.map((url) => new Worker(url, clock));
    return new WorkerProxy(server, `http://${host}:${own}`, upstream);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const worker of this.#workers) worker.close();
    for (const session of this.#sessions) session.destroy();
    await closed;
  }

  #forward(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const [worker] = this.#workers.filter(({ isAlive }) => isAlive).toSorted((one, other) => one.calls - other.calls);
    // A call whose connection breaks is sent again by Restate; both ends are closed below.
    stream.on("error", () => undefined);
    if (worker === undefined) {
      stream.respond({ ":status": 503 }, { endStream: true });
      return;
    }
    this.#workers = [...this.#workers.filter((other) => other !== worker), worker];
    worker.call(stream, headers);
  }
}

/** One worker, connected to as long as it lives. */
class Worker {
  /** Number of its open calls. */
  calls = 0;
  readonly #url: string;
  readonly #clock: Clock;
  #session: ClientHttp2Session | undefined;
  #unanswered = 0;
  #timer: ReturnType<Clock["after"]> | undefined;
  #isClosed = false;

  constructor(url: string, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
    this.#open();
  }

  /** It has answered, and takes calls. */
  get isAlive(): boolean {
    return this.#session !== undefined && !this.#session.closed && !this.#session.destroyed;
  }

  call(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const session = this.#session;
    const request = session?.request(headers, { endStream: false });
    if (session === undefined || request === undefined) {
      reset(stream);
      return;
    }
    this.calls++;
    request.on("error", () => undefined);
    request.on("response", (answer) => {
      if (!stream.destroyed) stream.respond(answer);
    });
    // A broken stream ends like a complete one.
    const end = (): void => {
      if (request.rstCode === NGHTTP2_NO_ERROR && !session.destroyed) stream.end();
      else reset(stream);
    };
    request.on("end", end);
    request.on("close", () => {
      this.calls--;
      end();
    });
    stream.on("close", () => request.close(NGHTTP2_CANCEL));
    stream.pipe(request);
    request.pipe(stream, { end: false });
  }

  close(): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#session?.destroy();
  }

  #open(): void {
    const session = connect(this.#url);
    session.on("error", () => session.destroy());
    // A process that is frozen accepts connections too: it is alive once it has answered.
    session.on("connect", () => this.#ping(session));
    session.on("close", () => {
      this.#session = undefined;
      this.#unanswered = 0;
      this.#timer?.cancel();
      if (!this.#isClosed) this.#timer = this.#clock.after(RECONNECT_MS, () => this.#open());
    });
  }

  /** Pings are counted, not timed: if this process itself was frozen, workers are not to blame. */
  #ping(session: ClientHttp2Session): void {
    if (this.#isClosed || this.#unanswered >= MAX_UNANSWERED) {
      session.destroy();
      return;
    }
    this.#unanswered++;
    if (!session.destroyed) {
      session.ping((error) => {
        if (error !== null || this.#isClosed) return;
        this.#unanswered = 0;
        this.#session = session;
      });
    }
    this.#timer = this.#clock.after(PING_MS, () => this.#ping(session));
  }
}

/** Not `close`, which ends the answer first: Restate does not notice the end of an answer that has not begun. */
function reset(stream: ServerHttp2Stream): void {
  stream.destroy(new BatonError("closed", "the worker is gone"));
}
