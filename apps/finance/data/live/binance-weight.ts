/**
 * Binance weight: how much of the limit that all requests from this address share is used, by this process or another.
 *
 * The limit is assumed low until it matters, and then read from the service.
 */
import type { FetchAnswer } from "./body.ts";

const MINUTE_MS = 60_000;
/** The lowest figure that ever was the limit. */
const ASSUMED_LIMIT = 1_200;
const FULL = 0.9;

/** What is known of the weight. */
export class BinanceWeight {
  #limit: number | undefined;
  #used = 0;

  /** Whether the limit is close enough for its real figure to matter, and not known yet. */
  get isUnsure(): boolean {
    return this.#limit === undefined && this.#used >= FULL * ASSUMED_LIMIT;
  }

  /** The figure that the service gives. */
  learn(limit: number | undefined): void {
    this.#limit = limit ?? ASSUMED_LIMIT;
  }

  /** Reads what an answer says; gives until when to pause if the limit is almost reached. */
  note({ header }: Pick<FetchAnswer, "header">, now: number): number | undefined {
    const used = Number(header("x-mbx-used-weight-1m") ?? header("x-mbx-used-weight") ?? Number.NaN);
    if (!Number.isFinite(used)) return undefined;
    this.#used = used;
    const isFull = this.#limit !== undefined && used >= FULL * this.#limit;
    return isFull ? (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS : undefined;
  }
}
