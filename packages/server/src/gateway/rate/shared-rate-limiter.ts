/**
 * Shared rate limiter: counts requests in a store that several servers share, such as Redis.
 *
 * If that store fails, no request is refused for it: this process counts only its own requests, and logs it once.
 */
import type { Clock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { MemoryRateLimiter } from "./memory-rate-limiter.ts";
import {
  checkLimits,
  LIMIT_NAMES,
  type RequestRateLimiter,
  type RequestRateLimits,
  SLOTS,
  type Subjects,
  type Taken,
  toLimitState,
} from "./rate-limit.ts";

/** A window that a request counts in; requests with the same key count together. */
export interface CountedWindow {
  readonly key: string;
  readonly requests: number;
  readonly windowMs: number;
}

/** A request that was counted in all of its windows, or, if one was full, in none. */
export interface Counted {
  /** In the order of the windows: how many each had let in before, and when the oldest of them counts no more. */
  readonly windows: readonly { readonly used: number; readonly resetMs: number }[];
  /** As if it had never been. */
  readonly giveBack: () => Promise<void>;
}

/** Counts a request in windows that slide in so many slots; rejects if it cannot. */
export type RequestCounter = (windows: readonly CountedWindow[], slots: number) => Promise<Counted>;

/** The clock and the shared counter of rate limits. */
export interface RateCounting {
  readonly clock: Clock;
  /** Without it, this process counts alone. */
  readonly countRequest?: RequestCounter | undefined;
}

/** Counts by these limits under a name of their own: what has the same name counts together on all servers. */
export function openRateLimiter(
  name: string,
  limits: RequestRateLimits,
  { clock, countRequest }: RateCounting,
): RequestRateLimiter {
  const alone = new MemoryRateLimiter(limits, clock);
  if (countRequest === undefined) return alone;
  const shared = new SharedRateLimiter(name, limits, countRequest);
  return { take: (subjects) => shared.take(subjects).catch(() => alone.take(subjects)) };
}

/** Says once that counting together fails, and again only if it has succeeded in between. */
export function warnOnce(count: RequestCounter, warn: (text: string) => void): RequestCounter {
  let isFailing = false;
  const fail = (error: unknown) => {
    if (!isFailing) warn(`${toMessage(error)}; until it is back, this server counts only its own requests`);
    isFailing = true;
  };
  return async (windows, slots) => {
    try {
      const counted = await count(windows, slots);
      isFailing = false;
      return { ...counted, giveBack: () => counted.giveBack().catch(fail) };
    } catch (error) {
      fail(error);
      throw error;
    }
  };
}

/** The windows that servers share. */
export class SharedRateLimiter implements RequestRateLimiter {
  readonly #name: string;
  readonly #limits: RequestRateLimits;
  readonly #count: RequestCounter;

  constructor(name: string, limits: RequestRateLimits, count: RequestCounter) {
    checkLimits(limits);
    this.#name = name;
    this.#limits = limits;
    this.#count = count;
  }

  readonly take = async (subjects: Subjects): Promise<Taken> => {
    const asked = LIMIT_NAMES.flatMap((name) => {
      const [quota, subject] = [this.#limits[name], subjects[name]];
      return quota === undefined || subject === undefined ? [] : [{ name, quota, subject }];
    });
    if (asked.length === 0) return { limitStates: [], giveBack: async () => {} };
    const windows = asked.map(({ name, quota: { requests, windowSeconds }, subject }) => ({
      key: JSON.stringify([this.#name, name, subject]),
      requests,
      windowMs: windowSeconds * 1_000,
    }));
    const counted = await this.#count(windows, SLOTS);
    const uses = asked.map(({ name, quota }, index) => {
      const { used = 0, resetMs = 0 } = counted.windows[index] ?? {};
      return { name, quota, used, resetMs };
    });
    const isRefused = uses.some(({ used, quota }) => used >= quota.requests);
    return { limitStates: uses.map((use) => toLimitState({ ...use, isRefused })), giveBack: counted.giveBack };
  };
}
