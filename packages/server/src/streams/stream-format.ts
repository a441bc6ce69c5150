/**
 * Stream format: a dialect with its options and the data of the run.
 *
 * Two streams of a run with the same key are the same bytes, and are made once.
 */
import type { Dialect, DialectContext } from "../dialects/dialect.ts";
import { KEEP_ALIVE, RETRY_MS, toSse } from "./sse.ts";

/** Dialect and options of a stream. */
export interface StreamFormat {
  readonly key: string;
  readonly dialect: Dialect;
  readonly context: DialectContext;
  /** Events a write. */
  readonly maxEvents: number;
  /** Silence before a keep-alive. */
  readonly keepAliveMs: number;
}

/** The format of a dialect for one run. */
export function toFormat(dialect: Dialect, context: DialectContext): StreamFormat {
  const { streamBuffer, sseKeepAliveMs } = context.crew.settings;
  const keepAliveMs = Math.min(sseKeepAliveMs, dialect.keepAliveMs ?? Infinity);
  const key = JSON.stringify([dialect.name, context.model, context.options]);
  return { key, dialect, context, maxEvents: Math.max(1, streamBuffer), keepAliveMs };
}

/** A keep-alive in the form of the dialect. */
export function toKeepAlive({ dialect }: StreamFormat, at: number): Buffer {
  return dialect.toPing === undefined ? KEEP_ALIVE : Buffer.from(toSse(dialect.toPing(at)));
}

/** Returns the frames after the last event of a stream. */
export function closingText({ dialect: { closing = [] } }: StreamFormat): string {
  return closing.map(toSse).join("");
}

/** The last bytes of a stream that ends early: the client reconnects, perhaps to the next server. */
export function toFarewell({ dialect }: StreamFormat, why: string): string {
  const error = dialect.interrupted === undefined ? "" : toSse(dialect.interrupted(why));
  return `${error}: ${why}\nretry: ${RETRY_MS}\n\n`;
}
