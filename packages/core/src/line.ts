/**
 * Line: those who wait for their turn, first come first served.
 *
 * Whoever waits may bring something with it, leaves at once when its scope is cancelled (its promise rejects
 * with the scope's reason), and leaves nothing behind. Joining, leaving and being next take constant time.
 * Reads: error, scope. Read by: semaphore, channel, bus.
 */
import type { BatonError } from "./error.ts";
import type { Scope } from "./scope.ts";

/** One that waits: what it brought, and how to let it go on. */
export interface Waiting<Result, Item> {
  readonly item: Item;
  go(result: Result): void;
  fail(error: BatonError): void;
}

class Place<Result, Item> implements Waiting<Result, Item> {
  before: Place<Result, Item> | undefined;
  after: Place<Result, Item> | undefined;
  forget: (() => void) | undefined;
  readonly item: Item;
  readonly #resolve: (result: Result) => void;
  readonly #reject: (error: BatonError) => void;

  constructor(item: Item, resolve: (result: Result) => void, reject: (error: BatonError) => void) {
    this.item = item;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  go(result: Result): void {
    this.forget?.();
    this.#resolve(result);
  }

  fail(error: BatonError): void {
    this.forget?.();
    this.#reject(error);
  }
}

/** Waits for `Result`, each with an `Item` it brought. */
export class Line<Result, Item = undefined> {
  #first: Place<Result, Item> | undefined;
  #last: Place<Result, Item> | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Waits at the end of the line; without a scope until somebody lets it go on. */
  join(scope: Scope | undefined, item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const place = new Place<Result, Item>(item, resolve, reject);
      place.before = this.#last;
      if (this.#last === undefined) this.#first = place;
      else this.#last.after = place;
      this.#last = place;
      this.#length++;
      place.forget = scope?.onCancel((reason) => {
        this.#leave(place);
        reject(reason);
      });
    });
  }

  /** Takes the first out of the line. */
  next(): Waiting<Result, Item> | undefined {
    const first = this.#first;
    if (first !== undefined) this.#leave(first);
    return first;
  }

  #leave(place: Place<Result, Item>): void {
    if (place.before === undefined) this.#first = place.after;
    else place.before.after = place.after;
    if (place.after === undefined) this.#last = place.before;
    else place.after.before = place.before;
    this.#length--;
  }
}
