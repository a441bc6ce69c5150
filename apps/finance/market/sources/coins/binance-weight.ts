/**
 * Binance weight: how much of the limit that all requests from this address share is used, by this process or another.
 *
 * The limit is assumed low until it matters, and then read from the service.
 */
import type { FetchAnswer } from "../http/body.ts";

const MINUTE_MS = 60_000;
/** The lowest figure that ever was the limit. */
const ASSUMED_LIMIT = 1_200;
const FULL = 0.9;

/** Request weight used, as far as it is known; it is counted anew each minute. */
export class BinanceWeight {
  #limit: number | undefined;
  #used = 0;
  #minute = 0;

  /** Reads what an answer says. */
  note({ header }: Pick<FetchAnswer, "header">, now: number): void {
    const used = Number(header("x-mbx-used-weight-1m") ?? header("x-mbx-used-weight") ?? Number.NaN);
    if (!Number.isFinite(used)) return;
    this.#used = used;
    this.#minute = Math.floor(now / MINUTE_MS);
  }

  /** Whether the limit is close enough for its real figure to matter, and not known yet. */
  isUnsure(now: number): boolean {
    return this.#limit === undefined && this.fullUntil(now) !== undefined;
  }

  /** The figure that the service gives. */
  learn(limit: number | undefined): void {
    this.#limit = limit ?? ASSUMED_LIMIT;
  }

  /** The end of the minute if its weight is almost used up. */
  fullUntil(now: number): number | undefined {
    const minute = Math.floor(now / MINUTE_MS);
    const isFull = minute === this.#minute && this.#used >= FULL * (this.#limit ?? ASSUMED_LIMIT);
    return isFull ? (minute + 1) * MINUTE_MS : undefined;
  }
}
