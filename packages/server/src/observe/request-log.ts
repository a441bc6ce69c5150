/**
 * Request log: logs and counts every request when it ends.
 *
 * It is the outermost layer, so that refusals of the gateway are logged too. While a stream is open, only the few words
 * that will be logged are kept.
 */
import type { Clock } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { MiddlewareHandler } from "hono";
import { routePath } from "hono/route";
import type { GatewayEnv, OutgoingSide } from "../gateway/gateway-env.ts";
import type { Observing } from "./observer.ts";

interface Asked {
  readonly requestId: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly beganAt: number;
}

/** The pattern of a route's parameter: `:call{.+}`. */
const PATTERN = /\{[^}]*\}/g;

/** Middleware: logs and counts every request when it ends. */
export function logRequests(observer: Observing, clock: Clock): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const beganAt = clock.monotonic();
    await next();
    const { outgoing } = c.env;
    const path = routePath(c, -1);
    const route = path.includes("*") ? undefined : path.replaceAll(PATTERN, "");
    tellAtEnd(outgoing, { requestId: c.get("requestId"), method: c.req.method, route, beganAt }, { observer, clock });
  };
}

function tellAtEnd(outgoing: OutgoingSide, asked: Asked, { observer, clock }: { observer: Observing; clock: Clock }) {
  const tell = () => {
    const { beganAt, ...request } = asked;
    const ids = omitUndefined({ run: headerOf(outgoing, "x-run-id"), session: headerOf(outgoing, "x-session-id") });
    observer.request({ ...request, ...ids, status: outgoing.statusCode, durationMs: clock.monotonic() - beganAt });
  };
  if (outgoing.closed) tell();
  else outgoing.once("close", tell);
}

function headerOf(outgoing: OutgoingSide, name: string): string | undefined {
  const value = outgoing.getHeader(name);
  return typeof value === "string" ? value : undefined;
}
