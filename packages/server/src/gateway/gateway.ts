/**
 * Gateway: what every request passes before a route sees it, and what every error becomes.
 *
 * In this order: a name and safe headers for the answer, the Host, the Origin, the key, the rate. What fails is
 * answered at once and costs nothing more. Probes pass without a Host of ours and without a key, pages without a key.
 * While no key exists, all else must be sent to a loopback name.
 */
import type { Clock } from "@baton/core/ports";
import { newRunId } from "@baton/store";
import type { Hono, MiddlewareHandler } from "hono";
import { allowOrigin, setAnswerHeaders } from "./answer-headers.ts";
import { type Identify, identifyBy, type IdentifyByToken } from "./caller.ts";
import { isConsoleFile, isConsolePage } from "./console-path.ts";
import { toProblem } from "./to-problem.ts";
import { type GatewayContext, type GatewayEnv, setHeader } from "./gateway-env.ts";
import { type RequestSource, HostCheck, type HostOptions, isForLoopback, onlyLoopback } from "./host-check.ts";
import { type CallerIdentity, checkScope, type KeyRing, LOCAL_IDENTITY, keyNeeded, type KeyScope } from "./keys.ts";
import { methodNotAllowed, notFound, Problem, toAnswer } from "./problem.ts";
import {
  checkLimitStates,
  DEFAULT_RATE_LIMITS,
  type RequestRateLimits,
  type Subjects,
  type Taken,
  toRateHeaders,
} from "./rate/rate-limit.ts";
import { MemoryRateLimiter } from "./rate/memory-rate-limiter.ts";
import { type RequestCounter, openRateLimiter } from "./rate/shared-rate-limiter.ts";
import { parseRequestId, parseTraceParent } from "./request-id.ts";

/** A request in which the server failed. */
export interface FailedRequest {
  readonly requestId: string;
  readonly path: string;
}

/** Access to a mounted route, by its path with parameters (`/api/notes/:id`). */
export type RouteGuard = Readonly<{
  method: string;
  path: string;
  scope: string;
  access?: "own";
  challenge?: string;
  identify?: IdentifyByToken;
}>;

/** Options of the gateway. */
export interface GatewayOptions {
  readonly clock: Clock;
  readonly keys: KeyRing;
  readonly hosts: HostOptions;
  /** Default: the usual limits for keys, no limits for `local`. */
  readonly rateLimits?: RequestRateLimits | "off";
  /** The shared counter of several servers; without it, this process counts its own requests. */
  readonly countRequest?: RequestCounter;
  /** Names the caller of a request, instead of keys. */
  readonly identify?: Identify;
  /** Mounted routes that need no key, or have a 401 of their own. */
  readonly guards?: readonly RouteGuard[];
  /** Called with every error that is the server's fault, for its log; the client gets only a code. */
  readonly report: (error: unknown, request: FailedRequest) => void;
}

/** The path of WebSockets. */
export const SOCKET_PATH = "/api/ws";
const PROBES: readonly string[] = ["/health", "/ready"];
/** Paths whose route checks the rate limit itself, because a command that stops a run must never wait. */
const COMMANDS = /^\/api\/(?:runs\/[^/]+\/commands|sessions\/[^/]+\/cancel)$/;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Puts the gateway before all routes that are added to the app later. */
export function addGateway(app: Hono<GatewayEnv>, options: GatewayOptions): void {
  app.use(assignRequestId(options), checkHostAndOrigin(options), authenticate(options));
  app.notFound((c) => {
    const allowed = methodsOf(app, c.req.path);
    return answer(
      c,
      allowed.length === 0
        ? notFound("such path", { next: "GET /openapi.json has all paths." })
        : methodNotAllowed(allowed),
    );
  });
  app.onError((error, c) => {
    const problem = toProblem(error);
    if (problem.status >= 500) options.report(error, { requestId: c.get("requestId"), path: c.req.path });
    return answer(c, problem);
  });
}

/** Lets only requests through whose key has the scope, or one of several. */
export function requireScope(scope: KeyScope | readonly KeyScope[]): MiddlewareHandler<GatewayEnv> {
  const [first, ...others] = typeof scope === "string" ? [scope] : scope;
  return async (c, next) => {
    const scopes = c.get("scopes");
    if (first !== undefined && !others.some((one) => scopes.includes(one))) checkScope(scopes, first);
    await next();
  };
}

function assignRequestId({ clock }: GatewayOptions): MiddlewareHandler<GatewayEnv> {
  return (c, next) => {
    // Runs are found by it, so a new one is greater than all before, as a run's own id is.
    const requestId = parseRequestId(c.req.header("x-request-id")) ?? newRunId(clock.now());
    c.set("requestId", requestId);
    c.set("traceparent", parseTraceParent(c.req.header("traceparent")));
    setHeader(c, "X-Request-Id", requestId);
    setAnswerHeaders(c);
    return next();
  };
}

function checkHostAndOrigin(options: GatewayOptions): MiddlewareHandler<GatewayEnv> {
  const { hosts, keys, identify: named, guards = [] } = options;
  const check = new HostCheck(hosts);
  const isInProcess = hosts.bound === undefined && named === undefined;
  return async (c, next) => {
    const caller = callerOf(c);
    const { path } = c.req;
    if (guards.some((guard) => guard.access === "own" && isGuardOf(guard, c.req))) return next();
    if (!PROBES.includes(path)) check.checkHost(caller);
    const isUnguarded = isInProcess && !PROBES.includes(path) && !isForLoopback(caller);
    if (isUnguarded && (await keys.isOpen())) throw onlyLoopback();
    if (hosts.origins.length > 0) setHeader(c, "Vary", "Origin");
    // A link on another site may lead to a page; every other cross-site fetch is refused.
    const origin = check.checkOrigin(isPage(path) ? { ...caller, site: undefined } : caller);
    const preflight = origin === undefined ? undefined : allowOrigin(c, origin);
    if (preflight !== undefined) return preflight;
    await next();
  };
}

/** Refuses HEAD on a GET route that starts something. */
export const refuseHead: MiddlewareHandler<GatewayEnv> = async (c, next) => {
  if (c.req.method === "HEAD") return c.notFound();
  await next();
};

/** Wrong keys that one address may send. */
const WRONG_KEYS: RequestRateLimits = { key: { requests: 60, windowSeconds: 60 } };

const ALL = { global: "all" } as const;
const NOTHING_TAKEN: Taken = { limitStates: [], giveBack: async () => {} };

function authenticate(options: GatewayOptions): MiddlewareHandler<GatewayEnv> {
  const { clock, keys, rateLimits, countRequest, identify: named } = options;
  const limits: RequestRateLimits = rateLimits === "off" ? {} : (rateLimits ?? DEFAULT_RATE_LIMITS);
  const limiter = openRateLimiter("server", limits, { clock, countRequest });
  const wrongKeys = new MemoryRateLimiter(rateLimits === "off" ? {} : WRONG_KEYS, clock);
  return async (c, next) => {
    const guard = options.guards?.find((one) => isGuardOf(one, c.req));
    const identifyCaller = async () => {
      if (c.env.socket?.identity !== undefined) return c.env.socket.identity;
      const own = await guard?.identify?.(c.req.header("authorization"));
      if (own === "missing_scope") throw missingScope(guard);
      if (own !== undefined) return identifyBy(() => (own === "refused" ? undefined : own), c.req.raw);
      return named === undefined ? identify(c, keys, wrongKeys) : identifyBy(named, c.req.raw);
    };
    const isForAll = isOpenPath(c.req.path) || guard?.scope === "open" || guard?.access === "own";
    const identity = isForAll
      ? { ...LOCAL_IDENTITY, scopes: [] }
      : await identifyCaller().catch((error: unknown) => toUnknown(c, withChallenge(error, guard)));
    // A request to any other name came through a proxy, so its sender may be anywhere.
    if (identity === LOCAL_IDENTITY && !isForLoopback(callerOf(c))) throw withChallenge(keyNeeded(), guard);
    const { tenant, user, key, plan } = identity;
    setIdentity(c, identity);
    const isFree =
      isForAll || identity === UNKNOWN_IDENTITY || (identity === LOCAL_IDENTITY && rateLimits === undefined);
    const own = plan === "premium" && limits.premium !== undefined ? { premium: key } : { key };
    const subjects = { ...own, ...ALL };
    let taken: Taken | undefined;
    const take = async (more: Subjects) => {
      if (isFree) return;
      // Counted anew with its session, so that what the session refuses costs the key nothing. Both are asked for at
      // once, so that no other request takes its place in between.
      [, taken] = await Promise.all([taken?.giveBack(), limiter.take({ ...subjects, ...more })]);
      for (const [name, value] of Object.entries(toRateHeaders(taken.limitStates))) setHeader(c, name, value);
    };
    const check = () => checkLimitStates(taken?.limitStates ?? []);
    c.set("checkRate", check);
    c.set("limitSession", async (session) => {
      await take({ session: JSON.stringify([tenant, user, session]) });
      check();
    });
    c.set("limitBy", async (other, session) => {
      if (identity === LOCAL_IDENTITY || rateLimits === "off") return NOTHING_TAKEN;
      const owner = JSON.stringify([tenant, user]);
      const inSession = session === undefined ? {} : { session: JSON.stringify([tenant, user, session]) };
      const counted = await other.take({
        ...(plan === "premium" ? { premium: owner } : { key: owner }),
        ...inSession,
        ...ALL,
      });
      checkLimitStates(counted.limitStates);
      return counted;
    });
    await take({});
    if (!COMMANDS.test(c.req.path)) check();
    await next();
  };
}

/** The caller of a WebSocket who sends no key with the request that opens it: the first message has one. */
export const UNKNOWN_IDENTITY: CallerIdentity = Object.freeze({ ...LOCAL_IDENTITY, key: "", scopes: [] });

function setIdentity(c: GatewayContext, identity: CallerIdentity): void {
  const { tenant, user, key, scopes, crews } = identity;
  c.set("tenant", tenant);
  c.set("user", user);
  c.set("key", key);
  c.set("scopes", scopes);
  c.set("crews", crews);
  c.set("identity", identity);
}

/** The caller who sends a key later; throws the error if that is not possible. */
function toUnknown(c: GatewayContext, error: unknown): CallerIdentity {
  const isLater = c.req.path === SOCKET_PATH && c.req.header("authorization") === undefined;
  if (isLater && error instanceof Problem && error.status === 401) return UNKNOWN_IDENTITY;
  throw error;
}

/** Identifies the caller. Wrong keys are counted by address: after too many the answer is 429; right ones still pass. */
async function identify(c: GatewayContext, keys: KeyRing, wrongKeys: MemoryRateLimiter): Promise<CallerIdentity> {
  const authorization = c.req.header("authorization");
  try {
    return await keys.identify(authorization);
  } catch (error) {
    const isWrong = authorization !== undefined && error instanceof Problem && error.code === "invalid_api_key";
    if (isWrong) checkLimitStates((await wrongKeys.take({ key: addressOf(c) })).limitStates);
    throw error;
  }
}

/** Whether a request is for this route; a parameter is any one part of a path. */
function isGuardOf({ method, path }: RouteGuard, request: Readonly<{ method: string; path: string }>): boolean {
  const [parts, asked] = [path.split("/"), request.path.split("/")];
  const isMethod = request.method === method.toUpperCase() || (request.method === "HEAD" && method === "get");
  return (
    isMethod && parts.length === asked.length && parts.every((part, at) => part.startsWith(":") || part === asked[at])
  );
}

/** The refusal of a key, with the header that the route wants. */
function withChallenge(error: unknown, guard: RouteGuard | undefined): unknown {
  if (guard?.challenge === undefined || !(error instanceof Problem) || error.status !== 401) return error;
  const headers = { ...error.headers, "WWW-Authenticate": guard.challenge };
  return new Problem(error.code, error.detail, { problems: error.problems, headers });
}

function missingScope({ challenge = "Bearer" }: Partial<RouteGuard> = {}): Problem {
  const headers = { "WWW-Authenticate": `${challenge}, error="insufficient_scope"` };
  return new Problem("missing_scope", "The token does not have the scope that this needs.", { headers });
}

function addressOf(c: GatewayContext): string {
  return c.env.address ?? "unknown";
}

/** Whether a path needs no key: a probe, or the page, which holds no data. */
export function isOpenPath(path: string): boolean {
  return PROBES.includes(path) || isPage(path);
}

function isPage(path: string): boolean {
  return isConsolePage(path) || isConsoleFile(path);
}

function callerOf(c: GatewayContext): RequestSource {
  const origin = c.req.header("origin");
  const site = c.req.header("sec-fetch-site");
  return { ...c.env.source(), origin, site };
}

function answer(c: GatewayContext, problem: Problem): Response {
  const { status, headers, body } = toAnswer(problem, c.req.path);
  return c.body(body, status, headers);
}

/** The methods that have a route for the path; what the gateway added is for all and does not count. */
export function methodsOf(app: Hono<GatewayEnv>, path: string): readonly string[] {
  const handlersOf = (method: string) =>
    app.router.match(method, path)[0].flatMap(([[handler, route]]) => (route.method === method ? [handler] : []));
  return METHODS.flatMap((method) => {
    const handlers = handlersOf(method);
    if (handlers.length === 0) return [];
    return method === "GET" && !handlers.includes(refuseHead) ? [method, "HEAD"] : [method];
  });
}
