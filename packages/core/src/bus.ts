/**
 * Bus: from one place to everybody who listens, without ever waiting for them.
 *
 * A reader sees everything published since it subscribed, in order. One that lags by more than the capacity
 * loses the oldest and sees how many. Publishing to nobody costs and keeps nothing.
 * Reads: channel. Read by: engine.
 */
import { Channel } from "./channel.ts";

/** One listener's place on a bus. */
export interface BusReader<T> extends AsyncIterable<T, undefined> {
  /** How many it has lost so far. */
  readonly lagged: number;
  /** Stops listening, as leaving a `for await` does; what is there can still be read. */
  close(): void;
}

/** A broadcast to readers that lag by at most `capacity` values. */
export class Bus<T> {
  readonly #capacity: number;
  readonly #readers = new Set<Channel<T>>();
  #closed = false;

  constructor(capacity = 1_024) {
    this.#capacity = capacity;
  }

  /** Those who listen. */
  get readers(): number {
    return this.#readers.size;
  }

  /** Tells everybody who listens. */
  publish(value: T): void {
    for (const reader of this.#readers) if (!reader.push(value)) this.#readers.delete(reader);
  }

  /** A reader of all that is published from now on. */
  subscribe(): BusReader<T> {
    const reader = new Channel<T>(this.#capacity);
    this.#readers.add(reader);
    if (this.#closed) reader.close();
    return reader;
  }

  /** Ends every reader once it has read what is there. */
  close(): void {
    this.#closed = true;
    for (const reader of this.#readers) reader.close();
  }
}
