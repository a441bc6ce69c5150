/**
 * Run stream: one client that reads a run, and all the server holds of it.
 *
 * While it keeps up, it is handed what its feed reads; once its connection is full it waits, and goes on from the log
 * where it stopped. One that takes nothing for a while in which more than 1 MiB came, or for a whole keep-alive, is cut
 * off: it comes back with the id of the last frame it has. Reads: format, projection, sse. Read by: feed, stream-hub.
 */
import type { ServerResponse } from "node:http";
import { toClosing, toFarewell, toKeepAlive } from "./format.ts";
import type { Page, Piece } from "./page.ts";
import type { Projection } from "./projection.ts";
import { OPENING } from "./sse.ts";

/** Unsent bytes beyond which a reader is no longer handed what comes. */
const MAX_BUFFERED_BYTES = 256 * 1_024;

/** What may come while a reader takes nothing, and for how long that may be a mere hitch. */
const MAX_MISSED_CHARS = 1_024 * 1_024;
const HITCH_MS = 2_000;

/** What a stream is opened with. */
export interface StreamOptions {
  readonly outgoing: ServerResponse;
  readonly projection: Projection;
  /** Who reads: the id of a key, or `local`. */
  readonly user: string;
  /** A pause beyond this event ends the stream; `Infinity` where only the run's end does. */
  readonly pauseAfter: number;
  /** Told where the client leaves before the end. */
  readonly left: (() => void) | undefined;
}

/** Who is told what becomes of a stream. */
export interface StreamOwner {
  /** Its connection has room again. */
  drained(stream: RunStream): void;
  /** It has ended, by whomever. */
  closed(stream: RunStream): void;
}

/** One reader. */
export class RunStream {
  /** Its own while it is behind, and shared with others while it is not. */
  projection: Projection;
  readonly user: string;
  readonly #outgoing: ServerResponse;
  readonly #pauseAfter: number;
  readonly #owner: StreamOwner;
  #left: (() => void) | undefined;
  #isFull = false;
  #isClosed = false;
  #missedChars = 0;
  /** By the monotonic clock. */
  #writtenAt: number;

  constructor({ outgoing, projection, user, pauseAfter, left }: StreamOptions, owner: StreamOwner, now: number) {
    this.#outgoing = outgoing;
    this.projection = projection;
    this.user = user;
    this.#pauseAfter = pauseAfter;
    this.#left = left;
    this.#owner = owner;
    this.#writtenAt = now;
    outgoing.on("close", () => this.#close());
    outgoing.on("drain", () => this.#drain());
    outgoing.write(OPENING);
  }

  /** Its connection takes no more for now. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Writes a piece, and ends where the piece is the last. */
  take({ bytes, after, end }: Piece, now: number): void {
    if (this.#isClosed) return;
    if (bytes.length > 0) {
      this.#outgoing.write(bytes);
      this.#writtenAt = now;
    }
    if (end === "run.ended" || (end === "run.paused" && after > this.#pauseAfter))
      this.#end(toClosing(this.projection.format));
    else this.#isFull = this.#outgoing.writableNeedDrain && this.#outgoing.writableLength > MAX_BUFFERED_BYTES;
  }

  /** Writes what a page holds, as far as there is room. */
  takePage(page: Page, last: number, now: number): void {
    while (!this.#isClosed && !this.#isFull) {
      const piece = this.projection.next(page, last);
      if (piece === undefined) return;
      this.take(piece, now);
    }
  }

  /** So much came while it was full. */
  miss(chars: number): void {
    this.#missedChars += chars;
  }

  /** Looks after it now and then: says that it lives after silence, or cuts it off where it takes nothing. */
  tend(now: number, at: number): void {
    const { format } = this.projection;
    const silentMs = now - this.#writtenAt;
    if (this.#isFull && this.#missedChars > MAX_MISSED_CHARS && silentMs >= HITCH_MS) return this.cut();
    if (this.#isClosed || silentMs < format.keepAliveMs) return;
    if (this.#isFull) return this.cut();
    this.#outgoing.write(toKeepAlive(format, at));
    this.#writtenAt = now;
  }

  /** Ends it before its time, because the server wants so; nobody left. */
  leave(why: string): void {
    if (!this.#isClosed) this.#end(toFarewell(this.projection.format, why));
  }

  /** Ends it at once; what was not sent is lost, as if the client had left. */
  cut(): void {
    this.#outgoing.destroy();
    this.#close();
  }

  #end(last: string): void {
    this.#left = undefined;
    this.#outgoing.end(last);
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#left?.();
    this.#owner.closed(this);
  }

  #drain(): void {
    if (!this.#isFull || this.#isClosed) return;
    this.#isFull = false;
    this.#missedChars = 0;
    this.#owner.drained(this);
  }
}
