/**
 * Redis rate: requests counted in Redis, so that several servers share their limits.
 *
 * It counts as a server's own process does: in no stretch as long as a window are more let in than its quota, and what
 * is refused costs nothing. Time is that of Redis, the same for all servers.
 */
import { BatonError } from "@baton/core";
import { GIVE_BACK, TAKE } from "./rate-script.ts";
import type { RedisCommands } from "./redis.ts";

/** A window that a request counts in. */
export interface RateWindow {
  /** A rate window; requests with the same key count together. */
  readonly key: string;
  readonly requests: number;
  readonly windowMs: number;
}

/** A window after a request. */
export interface WindowUse {
  /** Requests that it let in before this one. */
  readonly used: number;
  /** Until the oldest of them counts no more; 0 if there are none. */
  readonly resetMs: number;
}

/** A request that was counted in all of its windows, or, if one was full, in none. */
export interface CountedRequest {
  /** In the order of the windows. */
  readonly windows: readonly WindowUse[];
  /** As if it had never been. */
  readonly giveBack: () => Promise<void>;
}

/** Counts requests; rejects if Redis fails. */
export type CountRequest = (windows: readonly RateWindow[], slots: number) => Promise<CountedRequest>;

const PREFIX = "baton:rate:";

/** Counts requests in Redis; `now` in ms is for tests. */
export function redisRate(redis: RedisCommands, now?: () => number): CountRequest {
  return async (windows, slots) => {
    const keys = windows.map(({ key }) => `${PREFIX}${key}`);
    const lengths = windows.map(({ windowMs }) => `${windowMs}`);
    const limits = windows.flatMap(({ windowMs, requests }) => [`${windowMs}`, `${requests}`]);
    const args = [now === undefined ? "" : `${now()}`, `${slots}`, ...limits];
    const [at, ...uses] = toTexts(await redis.run(TAKE, { keys, args }));
    if (at === undefined || uses.length !== windows.length * 2)
      throw new BatonError("busy", "Redis gave no count of requests (--redis)", { retryable: true });
    let isGivenBack = at === "-";
    return {
      windows: windows.map((_, index) => ({ used: Number(uses[index * 2]), resetMs: Number(uses[index * 2 + 1]) })),
      async giveBack() {
        if (isGivenBack) return;
        isGivenBack = true;
        await redis.run(GIVE_BACK, { keys, args: [`${slots}`, at, ...lengths] });
      },
    };
  };
}

function toTexts(reply: unknown): readonly string[] {
  return Array.isArray(reply) ? reply.map(String) : [];
}
