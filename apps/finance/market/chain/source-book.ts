/**
 * Source book: what each source last answered and why it last failed, as the chains saw it. An answer that could not be
 * read counts as a failure, though the host sent something.
 */
import type { MarketErrorKind } from "../port/market-error.ts";

/** The latest success and the latest error of a source. Times are RFC 3339. */
export interface SourceRecord {
  readonly lastSuccessAt?: string;
  /** The time that the newest data is of. */
  readonly dataAsOf?: string;
  readonly lastErrorAt?: string;
  readonly lastError?: Readonly<{ kind: MarketErrorKind; message: string }>;
}

/** Records by the name of the source. */
export class SourceBook {
  readonly #records = new Map<string, SourceRecord>();
  readonly #requests = new Map<string, Map<string, number>>();

  success(source: string, at: Readonly<{ now: number; asOf: string }>): void {
    this.#count(source, "ok");
    const before = this.of(source);
    this.#records.set(source, { ...before, lastSuccessAt: toTime(at.now), dataAsOf: later(before.dataAsOf, at.asOf) });
  }

  /** Notes why a source did not answer; that it has no data is not an error of the source. */
  failure(source: string, failed: Readonly<{ now: number; kind: MarketErrorKind; message: string }>): void {
    const { now, kind, message } = failed;
    this.#count(source, kind);
    if (kind === "no_data") return;
    this.#records.set(source, { ...this.of(source), lastErrorAt: toTime(now), lastError: { kind, message } });
  }

  /** Number of times a source was asked, by how that ended: `ok` or the kind of failure. */
  requestsOf(source: string): ReadonlyMap<string, number> {
    return this.#requests.get(source) ?? new Map<string, number>();
  }

  #count(source: string, status: string): void {
    const counts = this.#requests.get(source) ?? new Map<string, number>();
    this.#requests.set(source, counts.set(status, (counts.get(status) ?? 0) + 1));
  }

  of(source: string): SourceRecord {
    return this.#records.get(source) ?? {};
  }
}

const toTime = (ms: number): string => new Date(ms).toISOString();

/** A question about the past does not make the newest data older. */
const later = (one: string | undefined, other: string): string =>
  one !== undefined && Date.parse(one) > Date.parse(other) ? one : other;
