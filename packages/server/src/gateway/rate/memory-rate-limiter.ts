/**
 * Memory rate limiter: counts requests in this process. Memory is bounded: the subject that was quiet longest is
 * forgotten first.
 */
import type { Clock } from "@baton/core/ports";
import {
  checkLimits,
  LIMIT_NAMES,
  type LimitName,
  type Quota,
  type RequestRateLimiter,
  type RequestRateLimits,
  SLOTS,
  type Subjects,
  type Taken,
  toLimitState,
} from "./rate-limit.ts";

const MAX_SUBJECTS = 10_000;

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

  /** Number of requests that count now. */
  usedAt(now: number): number {
    if (this.freeAt <= now) this.#slots = this.#slots.filter(({ lastAt }) => lastAt + this.#lengthMs > now);
    return this.#slots.reduce((sum, { count }) => sum + count, 0);
  }

  /** Counts a request; the slot that it returns can take the request back. */
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

/** The windows of this process. */
export class MemoryRateLimiter implements RequestRateLimiter {
  readonly #clock: Clock;
  readonly #limits: RequestRateLimits;
  readonly #windows: Readonly<Record<LimitName, Map<string, Window>>>;

  constructor(limits: RequestRateLimits, clock: Clock) {
    checkLimits(limits);
    this.#limits = limits;
    this.#clock = clock;
    this.#windows = { key: new Map(), premium: new Map(), session: new Map(), global: new Map() };
  }

  /** Number of subjects in memory. */
  get size(): number {
    return LIMIT_NAMES.reduce((sum, name) => sum + this.#windows[name].size, 0);
  }

  /** Counts a request for all of its subjects, or, if one has had its share, for none; within one step. */
  readonly take = async (subjects: Subjects): Promise<Taken> => {
    const now = this.#clock.monotonic();
    const looked = LIMIT_NAMES.flatMap((name) => this.#look(name, subjects[name], now));
    const isRefused = looked.some(({ used, quota }) => used >= quota.requests);
    const slots = isRefused ? [] : looked.map(({ window }) => window.add(now));
    const limitStates = looked.map(({ name, quota, window, used }) =>
      toLimitState({ name, quota, used, isRefused, resetMs: Math.max(0, window.freeAt - now) }),
    );
    const giveBack = async () => {
      for (const slot of slots.splice(0)) slot.count--;
    };
    return { limitStates, giveBack };
  };

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
