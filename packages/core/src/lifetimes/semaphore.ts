/**
 * Semaphore: how many may work at once.
 *
 * Permits are given first come first served. Waiting ends with the scope's reason when the scope is cancelled, and a
 * free permit is given at once, with no promise made.
 */
import { BatonError } from "../words/error.ts";
import type { Scope } from "./scope.ts";

/** Gives a permit back; a second time does nothing. */
export type Release = () => void;

/** A number of permits. */
export class Semaphore {
  #free: number;
  readonly #line: ((permit: Release) => void)[] = [];

  constructor(permits: number) {
    if (!(permits >= 1 && (Number.isInteger(permits) || permits === Infinity))) {
      throw new BatonError("invalid", `a semaphore needs a whole number of permits, 1 or more, not ${permits}`);
    }
    this.#free = permits;
  }

  get free(): number {
    return this.#free;
  }

  get waiting(): number {
    return this.#line.length;
  }

  /** A permit; its holder releases it in a `finally`. */
  acquire(scope: Scope): Promise<Release> | Release {
    if (!scope.live) return Promise.reject(scope.reason);
    if (this.#free === 0) return this.#wait(scope);
    this.#free--;
    return this.#permit();
  }

  #wait(scope: Scope): Promise<Release> {
    return scope.wait((go) => {
      this.#line.push(go);
      return () => this.#line.splice(this.#line.indexOf(go), 1);
    });
  }

  #permit(): Release {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      if (this.#line.length === 0) this.#free++;
      else this.#line.shift()?.(this.#permit());
    };
  }
}
