/**
 * Restate placement: Restate decides which worker executes a run's next segment.
 *
 * A session is a virtual object, so its segments execute one at a time, in the order of the offers. If a worker dies, Restate
 * gives its segments to another one at once, which takes their locks over: the log is the journal, the lock is the fence.
 */
import { BatonError } from "@baton/core";
import { type Clock, Scope } from "@baton/core/ports";
import type { StartWork, Placement, Work } from "../placement.ts";
import { RestateEndpoint, type RestateEndpointOptions } from "./endpoint.ts";
import { RestateIngress } from "./ingress.ts";
import { keepRegistered } from "./registration.ts";
import { toSend } from "./services.ts";

/** Time for which this process remembers the offers it made. */
const REMEMBER_MS = 60_000;

/** Options of a process that executes runs. */
export interface WorkerOptions extends RestateEndpointOptions {
  /** The admin API of Restate, to register the workers. */
  readonly admin: string;
  /** Where Restate reaches the workers: what spreads its calls over them. By default it calls this one directly. */
  readonly url?: string | undefined;
}

/** Options of a placement on Restate. */
export interface RestateOptions {
  readonly clock: Clock;
  /** Where work is offered: the ingress of Restate, one URL for each node. */
  readonly ingress: readonly string[];
  /** Without it, this process only offers work to others. */
  readonly worker?: WorkerOptions | undefined;
  /** Called with what keeps Restate from knowing the workers. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** Places work by a Restate server or cluster. */
export class RestatePlacement implements Placement, AsyncDisposable {
  readonly isLocal = false;
  readonly isWatching = false;
  /** Only what was lost in a crash between the row and its offer is found by this look. */
  readonly lookMs = 2_000;
  /** Resolves once Restate knows the workers; never in a process that only offers. */
  readonly registered: Promise<void>;
  readonly #options: RestateOptions;
  readonly #scope: Scope;
  readonly #ingress: RestateIngress;
  readonly #known = Promise.withResolvers<void>();
  #offered: { readonly since: number; readonly now: Set<string>; readonly before: ReadonlySet<string> };
  #begin: StartWork | undefined;
  #endpoint: Promise<RestateEndpoint> | undefined;
  #registering: Promise<void> | undefined;

  constructor(options: RestateOptions) {
    this.#options = options;
    this.#scope = Scope.root({ clock: options.clock, name: "Restate placement" });
    this.#ingress = new RestateIngress(options.ingress, this.#scope);
    this.#offered = { since: options.clock.now(), now: new Set(), before: new Set() };
    this.registered = this.#known.promise;
  }

  async offer(work: Work, { at = 0 }: { readonly at?: number } = {}): Promise<void> {
    const { token } = work;
    const now = this.#options.clock.now();
    if (now - this.#offered.since >= REMEMBER_MS) {
      this.#offered = { since: now, now: new Set(), before: this.#offered.now };
    }
    if (this.#offered.now.has(token) || this.#offered.before.has(token)) return;
    const delayMs = Math.max(0, Math.ceil(at - now));
    await this.#ingress.send({ ...toSend(work), token, delayMs });
    this.#offered.now.add(token);
  }

  async serve(begin: StartWork): Promise<void> {
    const { worker, clock, warn } = this.#options;
    if (worker === undefined || !this.#scope.live) return;
    this.#begin = begin;
    this.#endpoint ??= RestateEndpoint.listen((work) => this.#execute(work), clock, worker);
    const { url } = await this.#endpoint;
    this.#registering ??= keepRegistered(this.#scope, {
      admin: worker.admin,
      url: worker.url ?? url,
      registered: () => this.#known.resolve(),
      failed: (problem) => warn?.(`Restate does not know the workers yet: ${problem}`),
    });
  }

  /** Takes no more work. Running work continues until the engine ends it; Restate then gives it to another worker at once. */
  async stop(): Promise<void> {
    this.#begin = undefined;
    (await this.#endpoint)?.close();
    await this.#scope.cancel(new BatonError("closed", "the placement has stopped"));
    await this.#registering;
  }

  /** Stops, and waits until Restate was told what becomes of the work that was here. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await (await this.#endpoint)?.[Symbol.asyncDispose]();
    await this.#scope[Symbol.asyncDispose]();
  }

  async #execute(work: Work): Promise<void> {
    try {
      const begun = await this.#begin?.({ work, takesOver: true });
      if (begun === undefined) throw new BatonError("closed", "this worker is stopping", { retryable: true });
      await begun.done();
    } catch (error) {
      if (this.#begin !== undefined) throw error;
      throw new BatonError("closed", "this worker has stopped", { cause: error, retryAfterMs: 0 });
    }
  }
}
