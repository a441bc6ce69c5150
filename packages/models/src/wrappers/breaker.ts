/**
 * Breaker: stops calling a model for a while after repeated trouble at its provider.
 *
 * Errors in a row open it for 2 s; then one call goes through as a test: success closes it, failure doubles the time, up
 * to 60 s. Caps on errors an hour or a day open it for 60 s at a time. Only trouble at the provider counts: a wrong key
 * or a prompt that is too long says nothing about its health.
 */
import { BatonError, type Chunk, type Model } from "@baton/core";
import type { Clock, Scope } from "@baton/core/ports";
import { type FailureKind, failureOf, toRefused } from "../providers/failure.ts";

const MIN_OPEN_MS = 2_000;
const MAX_OPEN_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TROUBLE: ReadonlySet<FailureKind> = new Set(["overloaded", "network", "timeout", "malformed"]);

/** Result of a call for the breaker; `none` if it says nothing about the provider. */
type Verdict = "success" | "trouble" | "none";

/** Errors that open a breaker; 0 is no cap. */
export interface ErrorCaps {
  readonly inRow: number;
  readonly perHour: number;
  readonly perDay: number;
  /** Errors beyond a cap are warned about, and open nothing. */
  readonly isSoft: boolean;
}

/** Why a breaker opened, and for how long. */
type Opening = Readonly<{ why: string; openMs: number }>;

/** Permission to make one call; `leave` takes its verdict. */
interface Pass {
  readonly leave: (verdict: Verdict, error?: BatonError) => Opening | undefined;
}

/** Number of errors in the current hour or day. */
class ErrorCount {
  readonly #windowMs: number;
  #window = 0;
  #count = 0;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** Adds one; returns the sum of the window. */
  add(now: number): number {
    const window = Math.floor(now / this.#windowMs);
    this.#count = window === this.#window ? this.#count + 1 : 1;
    this.#window = window;
    return this.#count;
  }
}

/** Circuit breaker of one provider, model and key, or of one agent. */
export class Breaker {
  readonly #clock: Clock;
  readonly #hour = new ErrorCount(HOUR_MS);
  readonly #day = new ErrorCount(DAY_MS);
  readonly #waiting = new Set<() => void>();
  #inRow = 0;
  /** Length of the last opening; 0 if it is closed. */
  #openMs = 0;
  #openUntil = 0;
  #probing = false;
  #error: BatonError | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether the breaker is open: the model is not called now. */
  get isOpen(): boolean {
    return this.#openMs > 0 && (this.#probing || this.#openUntil > this.#clock.monotonic());
  }

  /** The last error of the provider. */
  get error(): BatonError | undefined {
    return this.#error;
  }

  /** Milliseconds until a call may be tried; 0 if only the result of another one is waited for. */
  get restMs(): number {
    return Math.max(0, this.#openUntil - this.#clock.monotonic());
  }

  /** Permission to call; undefined while it is open. */
  enter(caps: ErrorCaps): Pass | undefined {
    if (!caps.isSoft && this.isOpen) return undefined;
    const isProbe = !caps.isSoft && this.#openMs > 0;
    if (isProbe) this.#probing = true;
    return { leave: (verdict, error) => this.#leave({ verdict, error, isProbe }, caps) };
  }

  /** Waits until a call may be tried or another one has shown how the provider is. */
  async wait(scope: Scope): Promise<void> {
    const { restMs } = this;
    let leave = (): void => undefined;
    try {
      await scope.wait<void>((go) => {
        const wake = (): void => go();
        this.#waiting.add(wake);
        const timer = restMs > 0 ? scope.clock.after(Math.ceil(restMs), wake) : undefined;
        leave = () => {
          this.#waiting.delete(wake);
          timer?.cancel();
        };
        return leave;
      });
    } finally {
      leave();
    }
  }

  #leave(call: Readonly<{ verdict: Verdict; error: BatonError | undefined; isProbe: boolean }>, caps: ErrorCaps) {
    if (call.isProbe) this.#probing = false;
    if (call.verdict === "success") this.#close();
    const opening = call.verdict === "trouble" ? this.#count(call, caps) : undefined;
    if (call.verdict === "trouble") this.#error = call.error;
    if (opening !== undefined && !caps.isSoft) {
      this.#openMs = opening.openMs;
      this.#openUntil = this.#clock.monotonic() + opening.openMs;
    }
    if (call.isProbe || call.verdict === "success") this.#wakeAll();
    return opening;
  }

  #close(): void {
    this.#inRow = 0;
    this.#openMs = 0;
    this.#openUntil = 0;
    this.#error = undefined;
  }

  /** Counts an error; returns what it opens. An error of a call from before the opening opens nothing again. */
  #count(
    { isProbe }: { readonly isProbe: boolean },
    { inRow, perHour, perDay, isSoft }: ErrorCaps,
  ): Opening | undefined {
    const now = this.#clock.now();
    this.#inRow += 1;
    const hour = this.#hour.add(now);
    const day = this.#day.add(now);
    if (!isProbe && this.#openMs > 0) return undefined;
    const isOver = (count: number, cap: number): boolean => cap > 0 && (isSoft ? count === cap : count >= cap);
    if (isOver(hour, perHour)) return { why: `had ${hour} errors this hour`, openMs: MAX_OPEN_MS };
    if (isOver(day, perDay)) return { why: `had ${day} errors today`, openMs: MAX_OPEN_MS };
    const openMs = Math.min(MAX_OPEN_MS, Math.max(MIN_OPEN_MS, this.#openMs * 2));
    return isProbe || isOver(this.#inRow, inRow) ? { why: `failed ${this.#inRow} times in a row`, openMs } : undefined;
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** Behaviour of a model behind its breaker. */
export interface BreakerRules {
  readonly breaker: Breaker;
  readonly caps: ErrorCaps;
  /** While it is open, a call fails at once instead of waiting: the model has a backup. */
  readonly hasBackup: boolean;
}

/** The model behind its breaker. */
export function withBreaker(model: Model, rules: BreakerRules): Model {
  return {
    ...model,
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      const pass = yield* enter(model.name, rules, scope);
      let verdict: Verdict = "none";
      let error: BatonError | undefined;
      let opening: Opening | undefined;
      try {
        yield* model.stream(prompt, scope);
        verdict = "success";
      } catch (thrown) {
        if (!(thrown instanceof BatonError)) throw thrown;
        error = thrown;
        verdict = toVerdict(thrown);
      } finally {
        opening = pass.leave(verdict, error);
      }
      if (opening !== undefined) yield [toWarning(model.name, opening, rules.caps)];
      if (error !== undefined) throw error;
    },
  };
}

/** Waits for permission, and says so once; throws the provider's last error if the time of the run is too short. */
async function* enter(
  model: string,
  { breaker, caps, hasBackup }: BreakerRules,
  scope: Scope,
): AsyncGenerator<readonly Chunk[], Pass> {
  let hasTold = false;
  for (;;) {
    const pass = breaker.enter(caps);
    if (pass !== undefined) {
      // The model is called now, so its silence counts from here.
      if (hasTold) yield [];
      return pass;
    }
    const { error, restMs } = breaker;
    if (hasBackup || restMs >= scope.remainingMs) throw toRefused(model, error);
    if (!hasTold) yield [{ type: "restart", reason: toRefused(model, error).message, delayMs: Math.ceil(restMs) }];
    hasTold = true;
    await breaker.wait(scope);
  }
}

function toWarning(model: string, { why, openMs }: Opening, { isSoft }: ErrorCaps): Chunk {
  const text = isSoft ? `${model} ${why}` : `${model} ${why}; it is not called for ${openMs / 1_000} s`;
  return { type: "warning", text };
}

function toVerdict(error: BatonError): Verdict {
  const failure = failureOf(error);
  // A model that was silent for too long is stopped by the engine.
  if (failure === undefined) return error.code === "model" && error.retryable ? "trouble" : "none";
  if (failure.isRefused === true) return "none";
  return TROUBLE.has(failure.kind) ? "trouble" : "success";
}
