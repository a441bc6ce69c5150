/**
 * Rate limit: how many requests and tokens a provider gets a minute, and how many calls at once.
 *
 * Users are served by turns, and the calls of one user in their order; small calls do not overtake a large one whose
 * turn it is. Tokens are taken by an estimate before the call and corrected after it. Time passes evenly: a limit of 60
 * a minute is one a second, with up to a minute's worth at once after a pause.
 */
import type { BatonError, Chunk, Model, Prompt } from "@baton/core";
import type { Clock, Scope } from "@baton/core/ports";
import { toOwnerName } from "../money/user-accounts.ts";
import { TurnQueue } from "./turn-queue.ts";

/** Limits of a provider. */
export interface RateLimits {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
  readonly concurrent?: number;
}

const MINUTE_MS = 60_000;

/** An amount that fills up again over a minute. */
class Bucket {
  readonly #clock: Clock;
  readonly #capacity: number;
  #level: number;
  #at: number;

  constructor(capacity: number, clock: Clock) {
    this.#clock = clock;
    this.#capacity = capacity;
    this.#level = capacity;
    this.#at = clock.monotonic();
  }

  /** Until so much can be taken; more than the bucket holds is let through when it is full. */
  waitMs(amount: number): number {
    if (this.#capacity === Infinity) return 0;
    const now = this.#clock.monotonic();
    this.#level = Math.min(this.#capacity, this.#level + ((now - this.#at) * this.#capacity) / MINUTE_MS);
    this.#at = now;
    const missing = Math.min(amount, this.#capacity) - this.#level;
    return missing <= 0 ? 0 : (missing * MINUTE_MS) / this.#capacity;
  }

  take(amount: number): void {
    this.#level -= amount;
  }
}

interface Waiter {
  /** The owner; calls of one owner wait in one queue, and owners take turns. */
  readonly owner: string;
  readonly tokens: number;
  readonly go: (permit: Permit) => void;
}

/** A call that asks for a permit. */
export interface WaitingCall {
  readonly tokens: number;
  /** The owner of the call; calls without one share a queue. */
  readonly owner?: string;
}

/** Permission to make one call. */
export interface Permit {
  /** Ends the call; `tokens` is what it took, if that is known. */
  readonly end: (tokens: number | undefined) => void;
}

/** The queue before one provider. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #requests: Bucket;
  readonly #tokens: Bucket;
  readonly #concurrent: number;
  readonly #queue = new TurnQueue<Waiter>();
  #active = 0;
  #timer: { cancel(): void } | undefined;

  constructor(limits: RateLimits, clock: Clock) {
    this.#clock = clock;
    this.#requests = new Bucket(limits.requestsPerMinute ?? Infinity, clock);
    this.#tokens = new Bucket(limits.tokensPerMinute ?? Infinity, clock);
    this.#concurrent = limits.concurrent ?? Infinity;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /** Whether a call of so many tokens would have to wait. */
  isBusy(tokens: number): boolean {
    return this.#queue.size > 0 || this.#active >= this.#concurrent || this.#waitMs(tokens) > 0;
  }

  /** Permission to call, in turn; rejects with the scope's reason if the scope ends first. */
  enter({ tokens, owner = "" }: WaitingCall, scope: Scope): Promise<Permit> {
    return new Promise((resolve, reject: (reason: BatonError) => void) => {
      if (scope.reason !== undefined) {
        reject(scope.reason);
        return;
      }
      const forget = scope.onCancel((reason) => {
        this.#queue.remove(owner, waiter);
        reject(reason);
        this.#advance();
      });
      const waiter: Waiter = {
        owner,
        tokens,
        go: (permit) => {
          forget();
          resolve(permit);
        },
      };
      this.#queue.add(owner, waiter);
      this.#advance();
    });
  }

  #advance(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    for (let waiter = this.#queue.next(); waiter !== undefined; waiter = this.#queue.next()) {
      if (this.#active >= this.#concurrent) return;
      const waitMs = this.#waitMs(waiter.tokens);
      if (waitMs > 0) {
        // Rounding must not make the timer fire too early, because it would then be armed again.
        this.#timer = this.#clock.after(Math.ceil(waitMs), () => this.#advance());
        return;
      }
      this.#queue.serve(waiter.owner, waiter);
      waiter.go(this.#permit(waiter.tokens));
    }
  }

  #waitMs(tokens: number): number {
    return Math.max(this.#requests.waitMs(1), this.#tokens.waitMs(tokens));
  }

  #permit(tokens: number): Permit {
    this.#requests.take(1);
    this.#tokens.take(tokens);
    this.#active += 1;
    let held = true;
    return {
      end: (taken) => {
        if (!held) return;
        held = false;
        this.#active -= 1;
        if (taken !== undefined) this.#tokens.take(taken - tokens);
        this.#advance();
      },
    };
  }
}

/** The model behind its provider's queue. */
export function withRateLimit(model: Model, limiter: RateLimiter): Model {
  return {
    ...model,
    async *stream(prompt, scope): AsyncGenerator<readonly Chunk[]> {
      const tokens = toTokens(prompt);
      if (limiter.isBusy(tokens)) {
        yield [
          {
            type: "warning",
            text: `${model.name} waits for its rate limit, with ${limiter.waiting} calls ahead of it`,
          },
        ];
      }
      const permit = await limiter.enter({ tokens, owner: toOwnerName(prompt) }, scope);
      let taken: number | undefined;
      try {
        for await (const chunks of model.stream(prompt, scope)) {
          const last = chunks.at(-1);
          if (last?.type === "end") taken = last.usage.inputTokens + last.usage.outputTokens;
          yield chunks;
        }
      } finally {
        permit.end(taken);
      }
    },
  };
}

const CHARS_PER_TOKEN = 4;

/** About what a call reads, and the most it writes if that is set. */
function toTokens({ system, messages, maxTokens }: Prompt): number {
  const chars = messages.reduce((sum, message) => sum + message.content.length, system.length);
  return Math.ceil(chars / CHARS_PER_TOKEN) + (maxTokens ?? 0);
}
