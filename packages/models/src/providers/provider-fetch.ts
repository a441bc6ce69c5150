/**
 * Provider fetch: the `fetch` that a provider's package is given.
 *
 * It reports to its call when the response has begun, and rejects a web page instead of a stream. It follows no
 * redirect, so that a prompt reaches only the address that the user set. The platform keeps and reuses sockets.
 */
import { modelError } from "./failure.ts";

/** A `fetch` that says when the response of each call begins. */
export class ProviderFetch {
  readonly #model: string;
  readonly #waiting = new WeakMap<AbortSignal, () => void>();

  constructor(model: string) {
    this.#model = model;
  }

  /** Has `begun` called when the response to the call with this abort has begun. */
  onResponse(abort: AbortSignal, begun: () => void): void {
    this.#waiting.set(abort, begun);
  }

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, { ...init, redirect: "manual" });
    const abort = init?.signal;
    if (abort !== null && abort !== undefined) this.#waiting.get(abort)?.();
    await this.#refuseRedirect(response);
    if (response.ok && (response.headers.get("content-type") ?? "").startsWith("text/html")) {
      await response.body?.cancel();
      const detail = "a web page came back; is the address right?";
      throw modelError(this.#model, "malformed", { detail, retryable: false });
    }
    return response;
  };

  async #refuseRedirect({ status, headers, body }: Response): Promise<void> {
    if (status < 300 || status >= 400) return;
    await body?.cancel();
    // Only the origin: the rest of an address may hold a secret.
    const target = URL.parse(headers.get("location") ?? "")?.origin ?? "another address";
    const detail = `it redirects to ${target}, and Baton follows no redirects with a prompt; if that is right, set it as the provider's address`;
    throw modelError(this.#model, "request", { detail, status, retryable: false });
  }
}
