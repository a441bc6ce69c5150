/**
 * Request id: the name a request has in logs, spans, events and its answer; and the trace it belongs to.
 *
 * A client's id is used if it is safe to print; a trace header that is not exactly one is treated as if it were not
 * there.
 */
import { z } from "zod";

const PATTERN = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of a request, as a client names it. */
export const REQUEST_ID = z.string().regex(PATTERN, "must be 1 to 128 of the characters a-z, A-Z, 0-9, ., _ and -");

/** The client's id, if it is safe to print. */
export function parseRequestId(header: string | undefined): string | undefined {
  return header !== undefined && PATTERN.test(header) ? header : undefined;
}

/** The position of a request in its caller's trace. */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits: the caller's span. */
  readonly parentId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-|$)/;
const VERSION_00_CHARS = 55;
const SAMPLED = 1;

/** Reads a W3C `traceparent`; later versions may have more at their end. */
export function parseTraceParent(header: string | undefined): TraceParent | undefined {
  const match = TRACEPARENT.exec(header ?? "");
  if (header === undefined || match === null) return undefined;
  const [, version = "", traceId = "", parentId = "", flags = ""] = match;
  if (version === "ff" || (version === "00" && header.length !== VERSION_00_CHARS)) return undefined;
  if (isZero(traceId) || isZero(parentId)) return undefined;
  return { traceId, parentId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

function isZero(digits: string): boolean {
  return /^0+$/.test(digits);
}
