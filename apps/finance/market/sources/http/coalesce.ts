/**
 * Coalesce: equal requests in flight are one.
 *
 * The shared work lives in a scope of its own: one caller's abort does not end the others', and when the last caller
 * has left, the work is cancelled.
 */
import { BatonError } from "@baton/core";
import { Scope } from "@baton/core/ports";
import { waitFor } from "./wait-for.ts";

type Shared<T> = { readonly scope: Scope; readonly result: Promise<T>; callers: number };

/** Work in flight by key. */
export class InFlight<T> {
  readonly #shared = new Map<string, Shared<T>>();

  /** The result of the work of this key that is already in flight, else of `work`. */
  share(key: string, scope: Scope, work: (scope: Scope) => Promise<T>): Promise<T> {
    if (!scope.live) return Promise.reject(scope.reason);
    const shared = this.#shared.get(key) ?? this.#begin(key, scope, work);
    shared.callers++;
    return waitFor(scope, shared.result, () => this.#leave(key, shared));
  }

  #begin(key: string, { clock }: Scope, work: (scope: Scope) => Promise<T>): Shared<T> {
    const scope = Scope.root({ clock, name: `shared:${key}` });
    const run = async () => {
      await using own = scope;
      return await own.race(() => work(own));
    };
    const result = run().finally(() => this.#forget(key, shared));
    const shared: Shared<T> = { scope, result, callers: 0 };
    this.#shared.set(key, shared);
    return shared;
  }

  #leave(key: string, shared: Shared<T>): void {
    shared.callers--;
    if (shared.callers > 0) return;
    this.#forget(key, shared);
    const reason = new BatonError("cancelled", "nobody waits for the answer any more");
    // Callers have their own reason by now; what the cancelled work still says concerns none of them.
    shared.scope.cancel(reason).catch(() => undefined);
  }

  #forget(key: string, shared: Shared<T>): void {
    if (this.#shared.get(key) === shared) this.#shared.delete(key);
  }
}
