/**
 * Format: how one kind of stream of a run looks: a dialect, with what it may tell beside events.
 *
 * Two streams of a run with the same key are the same bytes, and are made once.
 */
import type { Dialect, DialectContext } from "../dialects/dialect.ts";
import { KEEP_ALIVE, RETRY_MS, toSse } from "./sse.ts";

/** How a stream looks. */
export interface Format {
  readonly key: string;
  readonly dialect: Dialect;
  readonly context: DialectContext;
  /** Events a write. */
  readonly maxEvents: number;
  /** Silence before a keep-alive. */
  readonly keepAliveMs: number;
}

/** The format of a dialect for one run. */
export function toFormat(dialect: Dialect, context: DialectContext): Format {
  const { streamBuffer, sseKeepAliveMs } = context.crew.settings;
  const keepAliveMs = Math.min(sseKeepAliveMs, dialect.keepAliveMs ?? Infinity);
  const key = JSON.stringify([dialect.name, context.model, context.options]);
  return { key, dialect, context, maxEvents: Math.max(1, streamBuffer), keepAliveMs };
}

/** A keep-alive in the form of the dialect. */
export function toKeepAlive({ dialect }: Format, at: number): Buffer {
  return dialect.toPing === undefined ? KEEP_ALIVE : Buffer.from(toSse(dialect.toPing(at)));
}

/** What follows the last event of a stream. */
export function toClosing({ dialect: { closing = [] } }: Format): string {
  return closing.map(toSse).join("");
}

/** The last bytes of a stream that ends early: the client reconnects, perhaps to the next server. */
export function toFarewell({ dialect }: Format, why: string): string {
  const error = dialect.interrupted === undefined ? "" : toSse(dialect.interrupted(why));
  return `${error}: ${why}\nretry: ${RETRY_MS}\n\n`;
}
