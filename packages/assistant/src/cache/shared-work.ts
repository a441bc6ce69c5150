/**
 * Shared work: one execution for all callers that ask for it at the same moment.
 *
 * The work has a scope of its own. A caller that is cancelled leaves; the others keep waiting. The last one that
 * leaves cancels the work and waits until it has settled, so nothing outlives its callers.
 */
import { Scope } from "@baton/core/ports";

interface Work<T> {
  readonly scope: Scope;
  readonly result: Promise<T>;
  waiting: number;
}

type Ended<T> = Readonly<{ ok: true; value: T } | { ok: false; error: unknown }>;

/** Work under way, by key. */
export class SharedWork<T> {
  readonly #works = new Map<string, Work<T>>();

  /** Whether work of this key is running. */
  has(key: string): boolean {
    return this.#works.has(key);
  }

  /** The result of the work of this key, which is started if it is not under way. */
  async join(key: string, scope: Scope, start: (scope: Scope) => Promise<T>): Promise<T> {
    if (scope.reason !== undefined) throw scope.reason;
    const work = this.#works.get(key) ?? this.#begin(key, scope, start);
    work.waiting += 1;
    try {
      // A failure comes as a value, so that a failure without a waiting caller is not an unhandled rejection.
      const ended = await scope.wait<Ended<T>>((go) => {
        work.result.then(
          (value) => go({ ok: true, value }),
          (error: unknown) => go({ ok: false, error }),
        );
        // A caller after the last one that was cancelled starts anew, also if that one has not settled yet.
        return () => {
          if (work.waiting === 1) this.#forget(key, work);
        };
      });
      if (ended.ok) return ended.value;
      throw ended.error;
    } finally {
      work.waiting -= 1;
      if (work.waiting === 0) await this.#end(key, work);
    }
  }

  #begin(key: string, { clock }: Scope, start: (scope: Scope) => Promise<T>): Work<T> {
    const scope = Scope.root({ clock, name: `shared:${key}` });
    const result = scope.race(() => start(scope));
    const work: Work<T> = { scope, result, waiting: 0 };
    this.#works.set(key, work);
    const settle = () => this.#forget(key, work);
    result.then(settle, settle);
    return work;
  }

  /** Ends its scope, which cancels what has not settled. */
  #end(key: string, work: Work<T>): Promise<void> {
    this.#forget(key, work);
    return work.scope[Symbol.asyncDispose]();
  }

  /** Later callers start anew. */
  #forget(key: string, work: Work<T>): void {
    if (this.#works.get(key) === work) this.#works.delete(key);
  }
}
