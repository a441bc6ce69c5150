/**
 * Ingress: sends work to Restate; it is accepted when Restate has it on disk.
 *
 * Nodes of a cluster are tried by turns, beginning with the last one that answered. An offer that comes while Restate
 * restarts, or before the first worker is registered, is sent again for a while.
 */
import { BatonError } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";

/** Time for which an offer is repeated, the pause between tries, and the time limit of one answer. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 100;
const ANSWER_MS = 3_000;

/** Work to send. */
interface Sending {
  readonly path: string;
  readonly body: string;
  /** Restate drops what has the token of something that waits or is under way. */
  readonly token: string;
  readonly delayMs: number;
}

/** The ingress of a Restate server or cluster. */
export class RestateIngress {
  readonly #urls: readonly string[];
  readonly #scope: Scope;
  #next = 0;

  /** `scope` ends what is being sent. */
  constructor(urls: readonly string[], scope: Scope) {
    if (urls.length === 0) throw new BatonError("invalid", "Restate needs at least one ingress URL");
    this.#urls = urls.map(withoutSlash);
    this.#scope = scope;
  }

  /** Resolves once Restate has it; `busy` if no node takes it for a while. */
  async send(sending: Sending): Promise<void> {
    const { clock } = this.#scope;
    const until = clock.monotonic() + PATIENCE_MS;
    for (let tries = 1; ; tries++) {
      const problem = await this.#try(sending);
      if (problem === undefined) return;
      this.#next++;
      if (clock.monotonic() >= until || !this.#scope.live) {
        throw new BatonError("busy", `Restate took no offer: ${problem}`, { retryable: true });
      }
      if (tries % this.#urls.length === 0) await this.#scope.sleep(PAUSE_MS).catch(() => undefined);
    }
  }

  /** Why it was not accepted; undefined if it was. */
  async #try({ path, body, token, delayMs }: Sending): Promise<string | undefined> {
    const url = `${this.#urls[this.#next % this.#urls.length]}${path}${delayMs > 0 ? `?delay=${delayMs}ms` : ""}`;
    const headers = { "content-type": "application/json", "idempotency-key": token };
    return post(this.#scope, url, { headers, body });
  }
}

/** A request that must be answered soon. Gives why it was not accepted; undefined if it was. */
export async function post(
  scope: Scope,
  url: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<string | undefined> {
  try {
    await using call = scope.child({ name: "a call of Restate", timeoutMs: ANSWER_MS });
    const answer = await fetch(url, { method: "POST", ...request, signal: call.abort });
    const text = await answer.text();
    return answer.ok ? undefined : `${answer.status} ${text.slice(0, 500)}`;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return toMessage(cause);
  }
}

/** A URL that a path is put after. */
export function withoutSlash(url: string): string {
  return url.endsWith("/") ? url.slice(0, -1) : url;
}
