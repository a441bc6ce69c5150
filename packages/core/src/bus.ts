/**
 * Bus: from one place to everybody who listens, without ever waiting for them.
 *
 * A reader sees everything published since it subscribed, in order. One that lags by more than the capacity
 * loses the oldest and is told how many. Publishing to nobody costs and keeps nothing.
 * Reads: line, scope. Read by: engine.
 */
import { Line } from "./line.ts";
import type { Scope } from "./scope.ts";

/** One listener's place on a bus. */
export interface BusReader<T> extends AsyncIterable<T, undefined> {
  /** How many were lost just before the value read last. */
  readonly lagged: number;
  /** The next value, waited for until bus or reader is closed or the scope is cancelled. */
  receive(scope?: Scope): Promise<IteratorResult<T, undefined>>;
  /** Stops listening; leaving a `for await` does the same. */
  close(): void;
}

/** The last values published; `next` counts all of them. */
interface Ring<T> {
  results: IteratorYieldResult<T>[];
  next: number;
  closed: boolean;
  readonly capacity: number;
}

const DONE: IteratorReturnResult<undefined> = { done: true, value: undefined };

class Reader<T> implements BusReader<T> {
  lagged = 0;
  #cursor: number;
  #closed = false;
  readonly #ring: Ring<T>;
  readonly #leave: (reader: Reader<T>) => void;
  readonly #line = new Line<IteratorResult<T, undefined>>();

  constructor(ring: Ring<T>, leave: (reader: Reader<T>) => void) {
    this.#ring = ring;
    this.#cursor = ring.next;
    this.#leave = leave;
  }

  receive(scope?: Scope): Promise<IteratorResult<T, undefined>> {
    if (scope !== undefined && !scope.live) return Promise.reject(scope.reason);
    const result = this.#take();
    return result === undefined ? this.#line.join(scope, undefined) : Promise.resolve(result);
  }

  /** Serves those who wait, after something was published or closed. */
  wake(): void {
    while (this.#line.length > 0) {
      const result = this.#take();
      if (result === undefined) return;
      this.#line.next()?.go(result);
    }
  }

  close(): void {
    this.#closed = true;
    this.#leave(this);
    this.wake();
  }

  [Symbol.asyncIterator](): AsyncIterator<T, undefined> {
    return {
      next: () => this.receive(),
      return: () => {
        this.close();
        return Promise.resolve(DONE);
      },
    };
  }

  #take(): IteratorResult<T, undefined> | undefined {
    if (this.#closed) return DONE;
    const { results, next, closed, capacity } = this.#ring;
    if (this.#cursor < next) {
      const oldest = Math.max(this.#cursor, next - capacity);
      this.lagged = oldest - this.#cursor;
      this.#cursor = oldest + 1;
      return results[oldest % capacity];
    }
    if (!closed) return undefined;
    this.close();
    return DONE;
  }
}

/** A broadcast of the last `capacity` values. */
export class Bus<T> {
  readonly #ring: Ring<T>;
  readonly #readers = new Set<Reader<T>>();

  constructor(capacity = 1_024) {
    this.#ring = { results: [], next: 0, closed: false, capacity };
  }

  /** Those who listen. */
  get readers(): number {
    return this.#readers.size;
  }

  /** Tells everybody who listens; nobody on a closed bus. */
  publish(value: T): void {
    const ring = this.#ring;
    if (this.#readers.size === 0 || ring.closed) return;
    ring.results[ring.next % ring.capacity] = { done: false, value };
    ring.next++;
    for (const reader of this.#readers) reader.wake();
  }

  /** A reader of all that is published from now on. */
  subscribe(): BusReader<T> {
    const reader = new Reader<T>(this.#ring, (left) => this.#remove(left));
    this.#readers.add(reader);
    return reader;
  }

  /** Ends every reader once it has read what is there. */
  close(): void {
    this.#ring.closed = true;
    for (const reader of this.#readers) reader.wake();
  }

  #remove(reader: Reader<T>): void {
    this.#readers.delete(reader);
    if (this.#readers.size === 0) this.#ring.results = [];
  }
}
