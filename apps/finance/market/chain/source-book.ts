/**
 * Source book: what each source last answered and why it last failed, as the chains saw it. An answer that could not be
 * read counts as a failure, though the host sent something.
 */
import { MarketError, type MarketErrorKind } from "../port/market-error.ts";

/** The latest success and the latest error of a source. Times are RFC 3339. */
export interface SourceRecord {
  readonly lastSuccessAt?: string;
  /** The time that the newest data is of. */
  readonly dataAsOf?: string;
  readonly lastErrorAt?: string;
  readonly lastError?: Readonly<{ kind: MarketErrorKind; message: string }>;
  /** Left alone until then, in ms since 1970. */
  readonly restsUntil?: number;
}

/** The time for which a source that failed is not asked again. */
const REST_MS = 60_000;

/** Records by the name of the source. */
export class SourceBook {
  readonly #records = new Map<string, SourceRecord>();
  readonly #requests = new Map<string, Map<string, number>>();

  success(source: string, at: Readonly<{ now: number; asOf: string }>): void {
    this.#count(source, "ok");
    const { restsUntil: _, ...before } = this.of(source);
    this.#records.set(source, { ...before, lastSuccessAt: toTime(at.now), dataAsOf: later(before.dataAsOf, at.asOf) });
  }

  /** Notes an error; an answer without data is not an error. */
  failure(source: string, { now, error }: Readonly<{ now: number; error: MarketError }>): void {
    const { kind, message } = error;
    this.#count(source, kind);
    if (kind === "no_data") return;
    const isDown = kind === "upstream" || kind === "throttled";
    const rest = isDown ? { restsUntil: now + REST_MS } : {};
    this.#records.set(source, { ...this.of(source), lastErrorAt: toTime(now), lastError: { kind, message }, ...rest });
  }

  /** The error after which a source is left alone now; undefined if it may be asked. */
  resting(source: string, now: number): MarketError | undefined {
    const { restsUntil = 0, lastError } = this.of(source);
    if (now >= restsUntil || lastError === undefined) return undefined;
    return new MarketError(lastError.kind, lastError.message, { retryAt: restsUntil });
  }

  /** Number of times a source was asked, by how that ended: `ok` or the kind of failure. */
  requestsOf(source: string): ReadonlyMap<string, number> {
    return this.#requests.get(source) ?? new Map<string, number>();
  }

  #count(source: string, status: string): void {
    const counts = this.#requests.get(source) ?? new Map<string, number>();
    this.#requests.set(source, counts.set(status, (counts.get(status) ?? 0) + 1));
  }

  /** Whether a source has answered within the last minute. */
  hasAnswered(source: string, now: number): boolean {
    const { lastSuccessAt } = this.of(source);
    return lastSuccessAt !== undefined && now - Date.parse(lastSuccessAt) < REST_MS;
  }

  of(source: string): SourceRecord {
    return this.#records.get(source) ?? {};
  }
}

const toTime = (ms: number): string => new Date(ms).toISOString();

/** A question about the past does not make the newest data older. */
const later = (one: string | undefined, other: string): string =>
  one !== undefined && Date.parse(one) > Date.parse(other) ? one : other;
