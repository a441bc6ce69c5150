/**
 * Rate limit: how many requests a key, a session and all together may make in any stretch of time.
 *
 * A window slides in slots: in no stretch as long as the window are more requests let in than the quota, and what was
 * used comes back at most a slot later than it could, and no later than a window after it was last used. A refused
 * request costs nothing. Memory is bounded: whoever was quiet longest is forgotten first.
 */
import { BatonError, type Clock } from "@baton/core";
import { Problem, retryAfter } from "./problem.ts";

/** So many requests in any so many seconds. */
export interface Quota {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** What is counted apart; `premium` is for keys of that plan, instead of `key`. */
export type LimitName = "key" | "premium" | "session" | "global";

/** The quotas there are; what has none is not limited. */
export type RateLimits = { readonly [Name in LimitName]?: Quota };

/** For servers with keys where nothing else is said. */
export const DEFAULT_RATE_LIMITS: RateLimits = Object.freeze({
  key: { requests: 600, windowSeconds: 60 },
  premium: { requests: 3_000, windowSeconds: 60 },
  session: { requests: 120, windowSeconds: 60 },
  global: { requests: 6_000, windowSeconds: 60 },
});

/** Whose request is counted, by limit. */
export type Subjects = { readonly [Name in LimitName]?: string };

/** How one limit stands after a request. */
export interface Standing {
  readonly name: LimitName;
  readonly quota: Quota;
  readonly remaining: number;
  /** Until some of what was used comes back. */
  readonly resetMs: number;
  readonly isRefused: boolean;
}

const SLOTS = 20;
const MAX_SUBJECTS = 10_000;
const NAMES: readonly LimitName[] = ["key", "premium", "session", "global"];

/** The requests of one slot. */
interface Slot {
  readonly number: number;
  count: number;
  /** When the last of them came. */
  lastAt: number;
}

/** The requests that were let in, for as long as they count. */
class Window {
  readonly #lengthMs: number;
  /** The oldest first; never many more than a window has. */
  #slots: Slot[] = [];

  constructor({ windowSeconds }: Quota) {
    this.#lengthMs = windowSeconds * 1_000;
  }

  /** How many count now. */
  usedAt(now: number): number {
    if (this.freeAt <= now) this.#slots = this.#slots.filter(({ lastAt }) => lastAt + this.#lengthMs > now);
    return this.#slots.reduce((sum, { count }) => sum + count, 0);
  }

  /** Counts a request; the slot can be told that it was none. */
  add(now: number): Slot {
    const number = Math.floor((now * SLOTS) / this.#lengthMs);
    const last = this.#slots.at(-1);
    const slot = last?.number === number ? last : { number, count: 0, lastAt: now };
    if (slot !== last) this.#slots.push(slot);
    slot.count++;
    slot.lastAt = now;
    return slot;
  }

  /** When the oldest of what is used comes back. */
  get freeAt(): number {
    const oldest = this.#slots.find(({ count }) => count > 0);
    return (oldest?.lastAt ?? -Infinity) + this.#lengthMs;
  }
}

/** A request that was counted, or refused. */
export interface Taken {
  readonly standings: readonly Standing[];
  /** As if it had never been. */
  giveBack(): void;
}

/** The windows of this process. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #limits: RateLimits;
  readonly #windows: Readonly<Record<LimitName, Map<string, Window>>>;

  constructor(limits: RateLimits, clock: Clock) {
    for (const name of NAMES) checkQuota(name, limits[name]);
    this.#limits = limits;
    this.#clock = clock;
    this.#windows = { key: new Map(), premium: new Map(), session: new Map(), global: new Map() };
  }

  /** How many subjects are remembered. */
  get size(): number {
    return NAMES.reduce((sum, name) => sum + this.#windows[name].size, 0);
  }

  /** Counts a request for all of its subjects, or, where one has had its share, for none. */
  take(subjects: Subjects): Taken {
    const now = this.#clock.monotonic();
    const looked = NAMES.flatMap((name) => this.#look(name, subjects[name], now));
    const isRefused = looked.some(({ used, quota }) => used >= quota.requests);
    const slots = isRefused ? [] : looked.map(({ window }) => window.add(now));
    const standings = looked.map(({ name, quota, window, used }): Standing => {
      const remaining = Math.max(0, quota.requests - used - (isRefused ? 0 : 1));
      const resetMs = Math.max(0, window.freeAt - now);
      return { name, quota, remaining, resetMs, isRefused: used >= quota.requests };
    });
    const giveBack = () => {
      for (const slot of slots.splice(0)) slot.count--;
    };
    return { standings, giveBack };
  }

  #look(name: LimitName, subject: string | undefined, now: number) {
    const quota = this.#limits[name];
    if (quota === undefined || subject === undefined) return [];
    const window = this.#windowOf(this.#windows[name], subject, quota);
    return [{ name, quota, window, used: window.usedAt(now) }];
  }

  #windowOf(windows: Map<string, Window>, subject: string, quota: Quota): Window {
    const window = windows.get(subject) ?? new Window(quota);
    windows.delete(subject);
    windows.set(subject, window);
    for (const oldest of windows.keys()) {
      if (windows.size <= MAX_SUBJECTS) break;
      windows.delete(oldest);
    }
    return window;
  }
}

/** The headers that tell a client how it stands; none where nothing limits it. */
export function toRateHeaders(standings: readonly Standing[]): Readonly<Record<string, string>> {
  if (standings.length === 0) return {};
  const policies = standings.map(({ name, quota }) => `"${name}";q=${quota.requests};w=${quota.windowSeconds}`);
  const limits = standings.map(({ name, remaining, resetMs }) => `"${name}";r=${remaining};t=${toSeconds(resetMs)}`);
  return { "RateLimit-Policy": policies.join(", "), RateLimit: limits.join(", ") };
}

/** Throws where a limit refuses. */
export function checkStandings(standings: readonly Standing[]): void {
  const refused = standings.filter(({ isRefused }) => isRefused);
  const [first] = refused;
  if (first === undefined) return;
  const { requests, windowSeconds } = first.quota;
  const detail = `More than ${requests} requests in ${windowSeconds} s (limit: ${first.name}). Send this again after Retry-After.`;
  throw new Problem("rate_limited", detail, {
    headers: retryAfter(Math.max(...refused.map(({ resetMs }) => resetMs))),
  });
}

function toSeconds(durationMs: number): number {
  return Math.max(1, Math.ceil(durationMs / 1_000));
}

function checkQuota(name: LimitName, quota: Quota | undefined): void {
  if (quota === undefined) return;
  const isWhole = Number.isSafeInteger(quota.requests) && Number.isSafeInteger(quota.windowSeconds);
  if (isWhole && quota.requests > 0 && quota.windowSeconds > 0) return;
  throw new BatonError("invalid", `the rate limit ${name} needs whole numbers of requests and seconds, at least 1`);
}
