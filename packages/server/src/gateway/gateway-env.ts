/**
 * Gateway environment: what the gateway knows of a request, for routes to read from Hono's context.
 *
 * Headers it sets are on the outgoing side itself, so that a stream written there directly has them too. A request comes
 * from Node's HTTP server or from `fetch` in the same process; routes see no difference.
 */
import type { Readable, Writable } from "node:stream";
import type { Context } from "hono";
import type { RequestSource } from "./host-check.ts";
import type { StreamStart } from "../streams/stream-start.ts";
import type { CallerIdentity, KeyScope } from "./keys.ts";
import type { RequestRateLimiter, Taken } from "./rate/rate-limit.ts";
import type { TraceParent } from "./request-id.ts";

/** Variables for routes to read with `c.get`. Prefer it to `c.var`, which builds an object of all of them at each read. */
export interface GatewayVariables {
  readonly requestId: string;
  /** Tenant and user come from the key and from nowhere else; `local` if the server needs no key. */
  readonly tenant: string;
  readonly user: string;
  /** The id of the key, or `local`. */
  readonly key: string;
  readonly scopes: readonly KeyScope[];
  /** All that is known of the caller. */
  readonly identity: CallerIdentity;
  /** Ids of the crews that the key may use; all if undefined. */
  readonly crews: readonly string[] | undefined;
  readonly traceparent: TraceParent | undefined;
  /** Throws if the request exceeds a limit; for commands the route checks this. */
  readonly checkRate: () => void;
  /** Counts one request of a session; throws if the session has used up its quota. */
  readonly limitSession: (session: string) => Promise<void>;
  /** Counts the request by limits of a route's own, for the user and the session; throws if one has had its share. */
  readonly limitBy: (limiter: RequestRateLimiter, session: string | undefined) => Promise<Taken>;
}

/** The sending side of a request: the response of Node's HTTP server, or the body of a `Response`. */
export interface OutgoingSide extends Writable {
  statusCode: number;
  readonly headersSent: boolean;
  setHeader(name: string, value: string): unknown;
  getHeader(name: string): unknown;
  writeHead(status: number, headers: Readonly<Record<string, string>>): Writable;
  /** Tells the client to send its body. */
  writeContinue(): void;
}

/** The parts of a request that came over a WebSocket, or that opens one. */
export interface SocketSide {
  /** The caller of the socket, in place of a key. */
  readonly identity?: CallerIdentity;
  /** The body, parsed. */
  readonly body?: unknown;
  /** Takes the stream of the answer in place of the outgoing side. */
  readonly open?: (stream: StreamStart) => void;
  /** Makes the connection a WebSocket, for this caller or for one who is not known yet. */
  readonly accept?: (caller: CallerIdentity | undefined) => void;
  /** Told the caller of a message on a socket that is open. */
  readonly identified?: (caller: CallerIdentity) => void;
}

/** Both sides of a request, and its origin. */
export interface Exchange {
  /** The body of the request. */
  readonly incoming: Readable;
  readonly outgoing: OutgoingSide;
  /** The hosts that the request names. */
  readonly source: () => Pick<RequestSource, "hosts" | "target">;
  /** The address of the client, if it is known. */
  readonly address: string | undefined;
  readonly socket?: SocketSide;
}

/** The type argument of `Hono` and `Context`. */
export interface GatewayEnv {
  readonly Bindings: Exchange;
  readonly Variables: GatewayVariables;
}

/** A request that passes the gateway. */
export type GatewayContext = Context<GatewayEnv>;

/** Tells a client that waits with its body to send it. */
export function askForBody(c: GatewayContext): void {
  if (c.req.header("expect") !== undefined) c.env.outgoing.writeContinue();
}

/** Sets a header of the answer, however it will be written. A route may set it anew; an answer that has begun keeps its own. */
export function setHeader(c: GatewayContext, name: string, value: string): void {
  const { outgoing } = c.env;
  if (!outgoing.headersSent) outgoing.setHeader(name, value);
}
