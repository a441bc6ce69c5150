/**
 * Rate limit: how many requests a key, a session and all together may make in any stretch of time.
 *
 * A window slides in slots: in no stretch as long as the window are more requests let in than the quota, and what was
 * used comes back at most a slot later than it could. A refused request costs nothing. Memory is bounded: whoever was
 * quiet longest is forgotten first. Reads: problem. Read by: gateway.
 */
import { BatonError, type Clock } from "@baton/core";
import { Problem, retryAfter } from "./problem.ts";

/** So many requests in any so many seconds. */
export interface Quota {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** What is counted apart. */
export type LimitName = "key" | "session" | "global";

/** The quotas there are; what has none is not limited. */
export type RateLimits = { readonly [Name in LimitName]?: Quota };

/** For servers with keys where nothing else is said. */
export const DEFAULT_RATE_LIMITS: RateLimits = Object.freeze({
  key: { requests: 600, windowSeconds: 60 },
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
const NAMES: readonly LimitName[] = ["key", "session", "global"];

/** Counts of the slot that is now and of the whole window before it. */
class Window {
  #used = 0;
  #slot = 0;
  readonly #counts = new Uint32Array(SLOTS + 1);

  /** How many were let in, as of this slot. */
  usedAt(slot: number): number {
    const passed = Math.min(slot - this.#slot, SLOTS + 1);
    for (let step = 0; step < passed; step++) {
      const index = (slot - step) % (SLOTS + 1);
      this.#used -= this.#counts[index] ?? 0;
      this.#counts[index] = 0;
    }
    this.#slot = Math.max(slot, this.#slot);
    return this.#used;
  }

  add(): void {
    const index = this.#slot % (SLOTS + 1);
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#used++;
  }

  /** The slot in which the oldest of what is used comes back. */
  get freeSlot(): number {
    for (let back = SLOTS; back > 0; back--) {
      const slot = this.#slot - back;
      if (slot >= 0 && (this.#counts[slot % (SLOTS + 1)] ?? 0) > 0) return slot + SLOTS + 1;
    }
    return this.#slot + SLOTS + 1;
  }
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
    this.#windows = { key: new Map(), session: new Map(), global: new Map() };
  }

  /** How many subjects are remembered. */
  get size(): number {
    return NAMES.reduce((sum, name) => sum + this.#windows[name].size, 0);
  }

  /** Counts a request for all of its subjects, or, where one has had its share, for none. */
  take(subjects: Subjects): readonly Standing[] {
    const now = this.#clock.monotonic();
    const counted = NAMES.flatMap((name) => this.#look(name, subjects[name], now));
    const isRefused = counted.some(({ used, quota }) => used >= quota.requests);
    return counted.map(({ name, quota, window, used, slotMs }) => {
      if (!isRefused) window.add();
      const remaining = Math.max(0, quota.requests - used - (isRefused ? 0 : 1));
      const resetMs = window.freeSlot * slotMs - now;
      return { name, quota, remaining, resetMs, isRefused: used >= quota.requests };
    });
  }

  #look(name: LimitName, subject: string | undefined, now: number) {
    const quota = this.#limits[name];
    if (quota === undefined || subject === undefined) return [];
    const slotMs = (quota.windowSeconds * 1_000) / SLOTS;
    const window = this.#windowOf(this.#windows[name], subject);
    return [{ name, quota, window, slotMs, used: window.usedAt(Math.floor(now / slotMs)) }];
  }

  #windowOf(windows: Map<string, Window>, subject: string): Window {
    const window = windows.get(subject) ?? new Window();
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
  const detail = `More than ${requests} requests in ${windowSeconds} s (limit: ${first.name}). Wait, then try again.`;
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
