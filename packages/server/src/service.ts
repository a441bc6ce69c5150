/**
 * Service: the parts of a server that its routes use.
 */
import { BatonError } from "@baton/core";
import type { DurableEngine } from "@baton/durable";
import type { Owner, RunFilter, RunRecord, Store } from "@baton/store";
import type { Dialects } from "./dialects/dialects.ts";
import type { ServerAbout, ServerOptions } from "./options.ts";
import type { Admission } from "./runs/admission.ts";
import type { GatewayContext } from "./gateway/gateway-env.ts";
import type { KeyRing } from "./gateway/keys.ts";
import type { RateCounting } from "./gateway/rate/shared-rate-limiter.ts";
import { notFound, type Problem } from "./gateway/problem.ts";
import type { Observing } from "./observe/observer.ts";
import type { ConsoleFiles } from "./routes/console.ts";
import type { AwaitedRuns } from "./runs/awaited-runs.ts";
import type { ServedCrews } from "./runs/served-crews.ts";
import type { ChangeFeed } from "./streams/change-feed.ts";
import type { FollowWakes } from "./sockets/follow-wakes.ts";
import type { SessionWatcher } from "./sockets/session-watcher.ts";
import type { Tickets } from "./sockets/tickets.ts";
import type { StreamHub } from "./streams/stream-hub.ts";

/** WebSockets as routes see them. */
export interface OpenSockets {
  readonly tickets: Tickets;
  readonly sessions: SessionWatcher;
  readonly wakes: FollowWakes;
  /** Whether no further socket is accepted. */
  readonly isFull: boolean;
  /** Ends the follows of deleted runs. */
  removed(runs: readonly { readonly id: string }[]): void;
}

/** The parts of one server. */
export interface Service {
  readonly store: Store;
  readonly engine: DurableEngine;
  readonly crews: ServedCrews;
  readonly keys: KeyRing;
  readonly dialects: Dialects;
  readonly hub: StreamHub;
  /** Streams changes of runs and crews. */
  readonly feed: ChangeFeed;
  /** WebSockets. */
  readonly sockets: OpenSockets;
  readonly admission: Admission;
  readonly observer: Observing;
  /** The files of the console, if it is served. */
  readonly console: ConsoleFiles | undefined;
  /** The beginning of every path that the server is reached by; empty if it has none. */
  readonly basePath: string;
  /** Version and model that the server reports about itself. */
  readonly about: ServerAbout;
  /** Counts requests for the rate limits of mounted routes. */
  readonly counting: RateCounting;
  /** Returns the models that have a breaker, and whether it is open. */
  readonly breakers: NonNullable<ServerOptions["breakers"]>;
  /** Models that a request may name. */
  readonly models: ReadonlySet<string>;
  /** Describes models for a picker. */
  readonly listModels: NonNullable<ServerOptions["listModels"]>;
  /** Runs that are cancelled when their client disconnects, and therefore also when the server shuts down. */
  readonly cancelOnDisconnect: Set<string>;
  /** Runs whose next pause or end a client waits for. */
  readonly awaited: AwaitedRuns;
  /** The largest body. */
  readonly maxBodyBytes: number;
  /** The largest body if it may hold images. */
  readonly maxImageBodyBytes: number;
}

/**
 * A run that the caller may see, by its id or its short id; of several with the same short id the newest. Another
 * user's run is reported as not found.
 */
export async function findVisibleRun({ engine }: Service, c: GatewayContext, id: string): Promise<RunRecord> {
  const found = await engine.find(id, visibleRuns(c));
  if (found !== undefined) return found;
  throw noRun(id);
}

/** The answer for a run that does not exist, or that the caller may not see. */
export function noRun(id: string): Problem {
  return notFound(`run ${id}`, { next: "GET /api/runs has all runs that you may see, by their `id`." });
}

/** Whether the caller may see what belongs to this owner: it is the caller's own, or the key administers the tenant. */
export function isVisible({ var: caller }: GatewayContext, { tenant, user }: Owner): boolean {
  return tenant === caller.tenant && (user === caller.user || caller.scopes.includes("admin"));
}

/** Returns the filter for the runs that the caller may see. */
export function visibleRuns(c: GatewayContext): Pick<RunFilter, "tenant" | "user"> {
  const tenant = c.get("tenant");
  return c.get("scopes").includes("admin") ? { tenant } : { tenant, user: c.get("user") };
}

/** The record, or `damaged` if it exists but cannot be read: the caller can skip or remove it. */
export async function readOrDamaged<T>(reading: Promise<T>): Promise<T | "damaged"> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof BatonError && error.code === "damaged") return "damaged";
    throw error;
  }
}
