/**
 * Rate limit: how many requests a key, a session and all together may make in any stretch of time.
 *
 * A window slides in slots: in no stretch as long as the window are more requests let in than the quota, and what was
 * used comes back at most a slot later than it could, and no later than a window after it was last used. A refused
 * request costs nothing. The counter is a port with one test suite: `testing/rate-limit-suite`.
 */
import { BatonError } from "@baton/core";
import { Problem, retryAfter } from "../problem.ts";

/** So many requests in any so many seconds. */
export interface Quota {
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Names of the limits; `premium` replaces `key` for keys of that plan. */
export type LimitName = "key" | "premium" | "session" | "global";

/** The quotas there are; what has none is not limited. */
export type RequestRateLimits = { readonly [Name in LimitName]?: Quota };

/** The defaults of servers with keys. */
export const DEFAULT_RATE_LIMITS: RequestRateLimits = Object.freeze({
  key: { requests: 600, windowSeconds: 60 },
  premium: { requests: 3_000, windowSeconds: 60 },
  session: { requests: 120, windowSeconds: 60 },
  global: { requests: 6_000, windowSeconds: 60 },
});

/** The subject to count for each limit. */
export type Subjects = { readonly [Name in LimitName]?: string };

/** The state of one limit after a request. */
export interface LimitState {
  readonly name: LimitName;
  readonly quota: Quota;
  readonly remaining: number;
  /** Until some of what was used comes back. */
  readonly resetMs: number;
  readonly isRefused: boolean;
}

/** A request that was counted, or refused. */
export interface Taken {
  readonly limitStates: readonly LimitState[];
  /** Takes the request back, as if it had never been counted. */
  readonly giveBack: () => Promise<void>;
}

/** Counts requests. */
export interface RequestRateLimiter {
  /** Counts a request for all of its subjects, or for none of them if one has used up its quota. */
  readonly take: (subjects: Subjects) => Promise<Taken>;
}

/** Into how many slots a window is divided. */
export const SLOTS = 20;

/** The limits, in the order of the headers. */
export const LIMIT_NAMES: readonly LimitName[] = ["key", "premium", "session", "global"];

/** Throws if a limit is not valid. */
export function checkLimits(limits: RequestRateLimits): void {
  for (const name of LIMIT_NAMES) checkQuota(name, limits[name]);
}

/** Builds the state of a limit; `used` requests were let in before this one. */
export function toLimitState({ name, quota, used, resetMs, isRefused }: LimitUse): LimitState {
  const remaining = Math.max(0, quota.requests - used - (isRefused ? 0 : 1));
  return { name, quota, remaining, resetMs, isRefused: used >= quota.requests };
}

/** The use of a limit after a request. */
export interface LimitUse extends Pick<LimitState, "name" | "quota" | "resetMs"> {
  readonly used: number;
  /** Whether the request was refused, by this limit or another. */
  readonly isRefused: boolean;
}

/** The RateLimit headers; none if no limit applies. */
export function toRateHeaders(limitStates: readonly LimitState[]): Readonly<Record<string, string>> {
  if (limitStates.length === 0) return {};
  const policies = limitStates.map(({ name, quota }) => `"${name}";q=${quota.requests};w=${quota.windowSeconds}`);
  const limits = limitStates.map(({ name, remaining, resetMs }) => `"${name}";r=${remaining};t=${toSeconds(resetMs)}`);
  return { "RateLimit-Policy": policies.join(", "), RateLimit: limits.join(", ") };
}

/** Throws if a limit refuses the request. */
export function checkLimitStates(limitStates: readonly LimitState[]): void {
  const refused = limitStates.filter(({ isRefused }) => isRefused);
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
  throw new BatonError(
    "invalid",
    `the rate limit ${name} must be whole numbers of requests and seconds, each at least 1`,
  );
}
