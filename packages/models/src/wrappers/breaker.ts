/**
 * Breaker: stops calling a model for a while after repeated failures.
 *
 * Five failures in a row open it for 30 seconds; then one call goes through as a test and decides. Only
 * trouble at the provider counts: a wrong key or a prompt that is too long says nothing about its health.
 */
import { BatonError, type Chunk, type Model } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { type FailureKind, failureOf, modelError } from "../providers/failure.ts";

const MAX_FAILURES = 5;
const OPEN_MS = 30_000;
const TROUBLE: ReadonlySet<FailureKind> = new Set(["overloaded", "network", "timeout", "malformed"]);

type Verdict = "well" | "trouble" | "none";

/** Permission to make one call; `leave` takes how it went, and returns whether that opened the breaker. */
interface Pass {
  readonly leave: (verdict: Verdict) => boolean;
}

/** Circuit breaker of one model. */
export class Breaker {
  readonly #clock: Clock;
  #failures = 0;
  #openUntil = 0;
  #probing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the breaker is open: the model is not called now. */
  get isOpen(): boolean {
    return this.#failures >= MAX_FAILURES && (this.#probing || this.#openUntil > this.#clock.monotonic());
  }

  /** Permission to call, or for how many more milliseconds the breaker stays open. */
  enter(): Pass | number {
    if (this.#failures < MAX_FAILURES) return { leave: (verdict) => this.#leave(verdict) };
    const restMs = this.#openUntil - this.#clock.monotonic();
    if (restMs > 0) return restMs;
    if (this.#probing) return OPEN_MS;
    this.#probing = true;
    return {
      leave: (verdict) => {
        this.#probing = false;
        return this.#leave(verdict);
      },
    };
  }

  #leave(verdict: Verdict): boolean {
    if (verdict === "well") this.#failures = 0;
    if (verdict !== "trouble") return false;
    this.#failures += 1;
    if (this.#failures < MAX_FAILURES) return false;
    this.#openUntil = this.#clock.monotonic() + OPEN_MS;
    return true;
  }
}

/** The model behind its breaker. */
export function withBreaker(model: Model, breaker: Breaker): Model {
  return {
    ...model,
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      const pass = breaker.enter();
      if (typeof pass === "number") throw toRefusal(model.name, pass);
      let verdict: Verdict = "none";
      let error: BatonError | undefined;
      let opened = false;
      try {
        yield* model.stream(prompt, scope);
        verdict = "well";
      } catch (thrown) {
        if (!(thrown instanceof BatonError)) throw thrown;
        error = thrown;
        verdict = toVerdict(thrown);
      } finally {
        opened = pass.leave(verdict);
      }
      if (opened)
        yield [{ type: "warning", text: `${model.name} ${FAILED}; it is not called for ${OPEN_MS / 1_000} s` }];
      if (error !== undefined) throw error;
    },
  };
}

const FAILED = `failed ${MAX_FAILURES} times in a row`;

function toRefusal(model: string, restMs: number): BatonError {
  const detail = `it ${FAILED} and is not called for another ${Math.ceil(restMs / 1_000)} s`;
  return modelError(model, "overloaded", { detail, retryable: false });
}

function toVerdict(error: BatonError): Verdict {
  const kind = failureOf(error)?.kind;
  if (kind === undefined) return "none";
  return TROUBLE.has(kind) ? "trouble" : "well";
}
