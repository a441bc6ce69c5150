/**
 * Source statistics: when a source last answered and last failed, and how often it was asked today.
 */
import { omitUndefined } from "@baton/core/util";
import type { MarketErrorKind } from "../../port/market-error.ts";
import type { BreakerState } from "./breaker.ts";

/** Statistics of a source. Times are RFC 3339. */
export interface SourceStats {
  readonly name: string;
  readonly host: string;
  readonly breaker: BreakerState;
  readonly requestsToday: number;
  readonly lastSuccessAt?: string;
  readonly lastErrorAt?: string;
  readonly lastError?: Failure;
  /** Not asked before that. */
  readonly retryAt?: string;
}

type Failure = Readonly<{ kind: MarketErrorKind; message: string }>;

type Reading = Readonly<{
  name: string;
  host: string;
  breaker: BreakerState;
  now: number;
  retryAt: number | undefined;
}>;

const DAY_MS = 86_400_000;

/** Times are in ms since 1970; a day is one of UTC. */
export class SourceLedger {
  #day = 0;
  #requests = 0;
  #successAt: number | undefined;
  #errorAt: number | undefined;
  #error: Failure | undefined;

  request(now: number): void {
    this.#turn(now);
    this.#requests++;
  }

  success(now: number): void {
    this.#successAt = now;
  }

  failure(now: number, error: Failure): void {
    this.#errorAt = now;
    this.#error = error;
  }

  read({ name, host, breaker, now, retryAt }: Reading): SourceStats {
    this.#turn(now);
    return {
      name,
      host,
      breaker,
      requestsToday: this.#requests,
      ...omitUndefined({
        lastSuccessAt: toTime(this.#successAt),
        lastErrorAt: toTime(this.#errorAt),
        lastError: this.#error,
        retryAt: toTime(retryAt),
      }),
    };
  }

  #turn(now: number): void {
    const day = Math.floor(now / DAY_MS);
    if (day === this.#day) return;
    this.#day = day;
    this.#requests = 0;
  }
}

const toTime = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString();
