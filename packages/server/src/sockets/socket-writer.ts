/**
 * Socket writer: sends messages on one WebSocket, and says when there is room for more.
 *
 * Replies are sent at once. Follows wait for their turn: while too much waits in the socket none has one, so the log is
 * read no further. While replies fill the socket, no further message of the client is read.
 */
import type { Socket } from "node:net";
import type { Clock } from "@baton/core/ports";
import type { WebSocket } from "ws";

/** Bytes that may wait in the socket; well below the promised 1 MiB, so that progress on a slow line is seen. */
const MAX_WAITING_BYTES = 256 * 1_024;

/** The sending side of a socket. */
export class SocketWriter {
  readonly #socket: WebSocket;
  readonly #connection: Socket;
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;
  /** When the client last took something, by the monotonic clock. */
  #takenAt = 0;

  constructor(socket: WebSocket, connection: Socket, clock: Clock) {
    this.#socket = socket;
    this.#connection = connection;
    this.#clock = clock;
  }

  /** Time since the client has taken anything of what waits for it; 0 if nothing waits. */
  get stalledMs(): number {
    return this.#socket.bufferedAmount === 0 ? 0 : this.#clock.monotonic() - this.#takenAt;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Sends messages, in this order. */
  send(...messages: readonly string[]): void {
    if (this.#isClosed || messages.length === 0) return;
    if (this.#socket.bufferedAmount === 0) this.#takenAt = this.#clock.monotonic();
    this.#connection.cork();
    for (const message of messages) this.#socket.send(message, (error) => error ?? this.#taken());
    this.#connection.uncork();
    if (!this.#hasRoom) this.#socket.pause();
  }

  /** Resolves when it is the caller's turn: it sends at most once and then calls `done`. */
  async turn(): Promise<void> {
    if (this.#isClosed || (this.#hasRoom && this.#waiting.length === 0)) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  /** The turn is over. */
  done(): void {
    if (this.#hasRoom) this.#waiting.shift()?.();
  }

  /** Sends nothing more; all who wait have their turn. */
  close(): void {
    this.#isClosed = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  get #hasRoom(): boolean {
    return this.#socket.bufferedAmount < MAX_WAITING_BYTES;
  }

  #taken(): void {
    this.#takenAt = this.#clock.monotonic();
    if (!this.#hasRoom) return;
    if (this.#socket.isPaused) this.#socket.resume();
    this.done();
  }
}
