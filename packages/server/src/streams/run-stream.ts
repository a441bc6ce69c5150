/**
 * Run stream: one client that reads a run, with everything the server holds for it.
 *
 * A reader that keeps up gets what its feed reads. If its connection is full it waits, and then continues from the log
 * at the position where it stopped. A reader that takes nothing while more than 1 MiB arrives, or for a whole
 * keep-alive, is dropped: it reconnects with the id of its last frame. A frame may take as long as it needs.
 */
import type { Writable } from "node:stream";
import type { Clock } from "@baton/core/ports";
import { closingText, toFarewell, toKeepAlive } from "./stream-format.ts";
import type { LogPage, StreamPiece } from "./log-page.ts";
import type { Projection } from "./projection.ts";
import { OPENING, OPENING_AT_START } from "./sse.ts";

/** Unsent bytes beyond which a reader gets no new events for now. */
const MAX_BUFFERED_BYTES = 256 * 1_024;

/** A longer piece is written bit by bit, so that its reader is seen to take it; more than Node buffers unasked. */
const MAX_WRITE_BYTES = 128 * 1_024;

/** Limits for a reader that takes nothing: unsent bytes, and time. */
const MAX_MISSED_CHARS = 1_024 * 1_024;
const HITCH_MS = 2_000;

/** Options of a stream. */
export interface StreamOptions {
  /** The answer, whose headers have been written. */
  readonly outgoing: Writable;
  readonly projection: Projection;
  /** The reader: the id of a key, or `local`. */
  readonly key: string;
  /** A pause beyond this event ends the stream; `Infinity` if only the run's end does. */
  readonly pauseAfter: number;
  /** Called if the client disconnects before the end. */
  readonly left: (() => void) | undefined;
  /** Sent before the first frame. */
  readonly greeting?: string;
}

/** The owner of a stream, notified of its changes. */
export interface StreamOwner {
  /** Its connection has room again. */
  drained(stream: RunStream): void;
  /** It has ended, for whatever reason. */
  closed(stream: RunStream): void;
}

/** One reader. */
export class RunStream {
  /** Its own while it is behind, and shared with others while it is not. */
  projection: Projection;
  readonly key: string;
  readonly #outgoing: Writable;
  readonly #pauseAfter: number;
  readonly #owner: StreamOwner;
  readonly #clock: Clock;
  #left: (() => void) | undefined;
  #isFull = false;
  #isClosed = false;
  #missedChars = 0;
  /** The unsent rest of a piece, while the connection is full. */
  #rest: Buffer | undefined;
  /** Bytes to write after the rest, if the rest is the last piece. */
  #closing: string | undefined;
  /** When it was written to last, by the monotonic clock. */
  #writtenAt: number;

  constructor(options: StreamOptions, owner: StreamOwner, clock: Clock) {
    const { outgoing, projection, key, pauseAfter, left, greeting } = options;
    this.#outgoing = outgoing;
    this.projection = projection;
    this.key = key;
    this.#pauseAfter = pauseAfter;
    this.#left = left;
    this.#owner = owner;
    this.#clock = clock;
    this.#writtenAt = clock.monotonic();
    outgoing.on("close", () => this.#close());
    outgoing.on("drain", () => this.#drain());
    outgoing.write(projection.isAtStart ? OPENING_AT_START : OPENING);
    if (greeting !== undefined) outgoing.write(greeting);
  }

  /** Its connection takes no more for now. */
  get isFull(): boolean {
    return this.#isFull;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Writes a piece, and ends the stream if the piece is the last. */
  take({ bytes, after, end }: StreamPiece): void {
    if (this.#isClosed) return;
    if (bytes.length > 0) this.#write(bytes);
    if (end !== "run.ended" && (end !== "run.paused" || after <= this.#pauseAfter)) return;
    this.#closing = closingText(this.projection.format);
    if (this.#rest === undefined) this.#end(this.#closing);
  }

  /** Writes what a page holds, as far as there is room. */
  takePage(page: LogPage, last: number): void {
    while (!this.#isClosed && !this.#isFull) {
      const piece = this.projection.next(page, last);
      if (piece === undefined) return;
      this.take(piece);
    }
  }

  /** So much came while it was full. */
  miss(chars: number): void {
    this.#missedChars += chars;
  }

  /** Called periodically: sends a keep-alive after silence, or drops the stream if its reader takes nothing. */
  tend(): "dropped" | undefined {
    if (this.#isClosed) return undefined;
    const { format } = this.projection;
    const silentMs = this.#clock.monotonic() - this.#writtenAt;
    const isSilent = silentMs >= format.keepAliveMs;
    if (this.#isFull && (isSilent || (this.#missedChars > MAX_MISSED_CHARS && silentMs >= HITCH_MS))) {
      this.cut();
      return "dropped";
    }
    if (isSilent) this.#write(toKeepAlive(format, this.#clock.now()));
    return undefined;
  }

  /** Ends it early, at the server's wish; the client did not leave. In the middle of a frame no farewell can be written. */
  leave(why: string): void {
    if (this.#isClosed) return;
    if (this.#rest === undefined) this.#end(toFarewell(this.projection.format, why));
    else this.cut();
  }

  /** Ends it at once because its reader or its log is stuck; unsent bytes are lost, but the client did not leave. */
  cut(): void {
    this.#left = undefined;
    this.#outgoing.destroy();
    this.#close();
  }

  #write(bytes: Buffer): void {
    const isLong = bytes.length > MAX_WRITE_BYTES;
    this.#outgoing.write(isLong ? bytes.subarray(0, MAX_WRITE_BYTES) : bytes);
    this.#rest = isLong ? bytes.subarray(MAX_WRITE_BYTES) : undefined;
    this.#writtenAt = this.#clock.monotonic();
    this.#isFull = isLong || (this.#outgoing.writableNeedDrain && this.#outgoing.writableLength > MAX_BUFFERED_BYTES);
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
    this.#missedChars = 0;
    this.#isFull = false;
    if (this.#rest !== undefined) this.#write(this.#rest);
    if (this.#isFull) return;
    if (this.#closing === undefined) this.#owner.drained(this);
    else this.#end(this.#closing);
  }
}
