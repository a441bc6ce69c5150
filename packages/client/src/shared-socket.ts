/**
 * Shared socket: one WebSocket for all methods of a client, opened on first use and closed 5 s after the last.
 */
import type { RunEvent } from "@baton/core";
import type { ClientError } from "./client-error.ts";
import { isRunEvent } from "./json-value.ts";
import type { FollowReader, OpenSocket, SocketOptions } from "./open-socket.ts";

const IDLE_MS = 5_000;
/** Events that wait for a slow reader; then it stops following and continues from the log. */
const MAX_WAITING = 10_000;

type Fields = Readonly<Record<string, unknown>>;

/** A run's events over a socket, with the words of a stream over HTTP. */
export interface SocketStream {
  readonly isOver: boolean;
  readonly retryMs: undefined;
  batches(): AsyncGenerator<readonly RunEvent[], void, undefined>;
}

interface StreamOptions {
  readonly abort: AbortSignal | undefined;
  readonly onOpen: (() => void) | undefined;
}

/** The socket of one client. */
export class SharedSocket {
  readonly #options: SocketOptions;
  #open: OpenSocket | undefined;
  #users = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(options: SocketOptions) {
    this.#options = options;
  }

  /** Sends an op; resolves with its reply, throws its error. */
  async ask(op: Fields, abort?: AbortSignal): Promise<Fields> {
    abort?.throwIfAborted();
    using _use = this.#use();
    const asked = this.#socket().then((socket) => socket.ask(op));
    return await orAborted(asked, abort);
  }

  /** The events of a run. */
  follow(op: Fields, { abort, onOpen }: StreamOptions): SocketStream {
    const stream = new EventQueue();
    const use = () => this.#use();
    const socket = () => this.#socket();
    return {
      get isOver() {
        return stream.isOver;
      },
      retryMs: undefined,
      async *batches() {
        if (abort?.aborted === true) return;
        using _use = use();
        const opened = await socket();
        const stop = () => stream.stop();
        abort?.addEventListener("abort", stop);
        try {
          await opened.ask({ op: "follow", ...op }, stream);
          onOpen?.();
          yield* stream.batches();
        } finally {
          abort?.removeEventListener("abort", stop);
          opened.unfollow(stream);
        }
      },
    };
  }

  /** Closes the socket; the next use opens another. */
  close(): void {
    clearTimeout(this.#idle);
    this.#open?.close();
    this.#open = undefined;
  }

  /** Programs without a socket do not load its code. */
  async #socket(): Promise<OpenSocket> {
    const { OpenSocket: Socket } = await import("./open-socket.ts");
    if (this.#open === undefined || this.#open.isClosed) {
      const opened: OpenSocket = new Socket(this.#options, () => {
        if (this.#open === opened) this.#open = undefined;
      });
      this.#open = opened;
    }
    return this.#open;
  }

  #use(): Disposable {
    clearTimeout(this.#idle);
    this.#users++;
    return {
      [Symbol.dispose]: () => {
        if (--this.#users === 0) this.#idle = setTimeout(() => this.close(), IDLE_MS);
      },
    };
  }
}

async function orAborted<T>(work: Promise<T>, abort: AbortSignal | undefined): Promise<T> {
  if (abort === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(abort.reason);
  abort.addEventListener("abort", stop);
  try {
    return await Promise.race([work, promise]);
  } finally {
    abort.removeEventListener("abort", stop);
  }
}

/** Events between the socket and their reader. */
class EventQueue implements FollowReader {
  isOver = false;
  #waiting: RunEvent[] = [];
  #isDone = false;
  #error: ClientError | undefined;
  #wake = Promise.withResolvers<void>();

  readonly take = ({ event, end }: Fields): void => {
    if (this.#isDone) return;
    if (isRunEvent(event)) this.#waiting.push(event);
    if (end === "ended") this.isOver = true;
    if (end !== undefined || this.#waiting.length >= MAX_WAITING) this.#isDone = true;
    this.#notify();
  };

  readonly fail = (error: ClientError): void => {
    this.#error ??= error;
    this.stop();
  };

  stop(): void {
    this.#isDone = true;
    this.#notify();
  }

  /** As many at once as came at once. */
  async *batches(): AsyncGenerator<readonly RunEvent[], void, undefined> {
    for (;;) {
      const { promise } = this.#wake;
      const batch = this.#waiting;
      this.#waiting = [];
      if (batch.length > 0) yield batch;
      else if (this.#isDone) break;
      else await promise;
    }
    if (this.#error !== undefined) throw this.#error;
  }

  #notify(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
