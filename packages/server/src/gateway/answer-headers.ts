/**
 * Answer headers: the security headers on every answer, and CORS for the pages that may call.
 *
 * Nothing may be framed, guessed, cached or read across origins unless a route says so; no cookie is ever set.
 */
import { type GatewayContext, setHeader } from "./gateway-env.ts";

const ALWAYS = Object.entries({
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
});

/** Sets what every answer has. */
export function setAnswerHeaders(c: GatewayContext): void {
  for (const [name, value] of ALWAYS) setHeader(c, name, value);
}

const METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE";
const ASKED =
  "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, Prefer, X-Request-Id, traceparent, tracestate";
const EXPOSED =
  "X-Run-Id, X-Session-Id, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, Location, Preference-Applied, X-Should-Retry";
const HEADER_NAMES = /^[a-z0-9_-]+(?: ?, ?[a-z0-9_-]+){0,99}$/i;
const PREFLIGHT_SECONDS = "600";

/** Lets a page of this origin read the answer; for a preflight request, returns the whole answer. */
export function allowOrigin(c: GatewayContext, origin: string): Response | undefined {
  setHeader(c, "Access-Control-Allow-Origin", origin);
  setHeader(c, "Access-Control-Expose-Headers", EXPOSED);
  if (c.req.method !== "OPTIONS" || c.req.header("access-control-request-method") === undefined) return undefined;
  setHeader(c, "Access-Control-Allow-Methods", METHODS);
  setHeader(c, "Access-Control-Allow-Headers", toAllowed(c.req.header("access-control-request-headers")));
  setHeader(c, "Access-Control-Max-Age", PREFLIGHT_SECONDS);
  return c.body(null, 204);
}

/** Clients of other makers send names of their own (`x-stainless-…`): whose origin is trusted may send any. */
function toAllowed(asked = ""): string {
  return HEADER_NAMES.test(asked) ? asked : ASKED;
}
