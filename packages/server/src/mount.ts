/**
 * Mount: what a product adds to a server: routes of its own, dialects and metrics.
 *
 * They are behind the same gateway as every route: keys and scopes, rate and body limits, errors as problem+json, the
 * description in /openapi.json, streams that resume, and graceful shutdown.
 */
import type { Command, Crew, Json, Receipt, RunEvent, RunResult, StartOptions } from "@baton/core";
import type { OpenQuestion } from "@baton/core/engine";
import type { CrewExposure } from "@baton/crewfile";
import type { Clock } from "@baton/core/ports";
import type { RunRecord, Store } from "@baton/store";
import { Registry } from "prom-client";
import { z } from "zod";
import type { AnswerExtras, DialectOptions } from "./dialects/dialect.ts";
import type { IdentifyByToken } from "./gateway/caller.ts";
import type { KeyScope } from "./gateway/keys.ts";
import type { RequestRateLimits } from "./gateway/rate/rate-limit.ts";
import type { LogFields } from "./observe/log-line.ts";

export { type CrewAgents, findAgent, listCrewAgents } from "./dialects/chat/crew-agents.ts";
export type { AnswerExtras, Dialect, DialectContext, DialectOptions, Frame } from "./dialects/dialect.ts";
export { toNumbered } from "./dialects/to-frames.ts";
export type { IdentifyByToken } from "./gateway/caller.ts";
export { IMAGES } from "./gateway/input/image.ts";
export type { RequestRateLimits } from "./gateway/rate/rate-limit.ts";
export { defineMeter, type MetricsRegistry } from "./observe/meters.ts";
export { toProblem } from "./gateway/to-problem.ts";
export { CAPTION, HISTORY, ID, MODEL, OPTIONS, QUERY } from "./gateway/input/text.ts";

/** One answer of a mounted route: what it means, and its JSON or its other type (`text/event-stream`). */
export interface MountAnswer {
  readonly description: string;
  readonly schema?: z.ZodType;
  readonly type?: string;
}

/** A route that a product adds. What its schemas refuse is answered before `handle` is called. */
export interface RouteMount<Query extends z.ZodType = z.ZodType, Body extends z.ZodType = z.ZodType> {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** `/api/notes/:id`; a parameter is `request.params["id"]`. */
  readonly path: string;
  readonly summary: string;
  /** The scope that the caller's key needs; `open`: no key at all, and tenant and user are `local`. */
  readonly scope: KeyScope | "open";
  /** `own`: it checks its caller itself, so it needs neither a key nor a known Host; tenant and user are `local`. */
  readonly access?: "own";
  /** The `WWW-Authenticate` header of its 401, if it is not the server's own. */
  readonly challenge?: string;
  /** Names the caller by other credentials than a key; the caller's scopes are checked as those of a key. */
  readonly identify?: IdentifyByToken;
  readonly query?: Query;
  /** Of a JSON body; a route without one reads none. */
  readonly body?: Body;
  /** The body may hold images, and be as large as they need. */
  readonly takesImages?: true;
  /** The largest body, if it is smaller than what the server allows. */
  readonly maxBodyBytes?: number;
  /**
   * Rate at which it may start runs, beside what the server allows: `key` or `premium` counts by user. Routes with the
   * same object count together; nothing is counted for `local`, or if the server's own limits are off.
   */
  readonly limits?: RequestRateLimits;
  /** By status; errors are described by the server. */
  readonly answers: Readonly<Record<number, MountAnswer>>;
  /** The id of the crew whose runs it starts, if it names none. Default: the first that is served. */
  readonly crew?: string;
  /** The name of the op by which a WebSocket asks for the same, with the body's fields; for a route that streams a run. */
  readonly op?: string;
  /** Throw a `BatonError` to refuse a request: `invalid` is 400, `not_found` 404, `conflict` 409. */
  handle(request: MountRequest<z.output<Query>, z.output<Body>>): Response | Promise<Response>;
}

/** A request that passed the gateway and the schemas. */
export interface MountRequest<Query = unknown, Body = unknown> {
  readonly query: Query;
  readonly body: Body;
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Headers;
  /** Tenant and user come from the key and from nowhere else; `local` if the server needs no key. */
  readonly tenant: string;
  readonly user: string;
  /** Scopes of the key. */
  readonly scopes: readonly KeyScope[];
  readonly requestId: string;
  /** Aborted when the client disconnects before it has the whole answer. */
  readonly abort: AbortSignal;
  /** Writes an error that is the server's fault to its log; for a route that answers it in its own way. */
  readonly report: (error: unknown) => void;
  readonly store: Store;
  /** The crews that are served and that the key may use. */
  readonly crews: readonly MountedCrew[];
  /** Finds a run that the caller may see; another one's is `not_found`. */
  readonly run: (id: string) => Promise<MountedRunView>;
  /** Sends a command to such a run; the receipt is a cancel's. An answer is checked before the run receives it. */
  readonly command: (id: string, command: Command) => Promise<Receipt | undefined>;
  /** The same request in the name of another owner, for a route that has proof of who that is. */
  readonly actFor: (owner: Readonly<{ tenant: string; user: string }>) => MountRequest<Query, Body>;
  /**
   * Answers questions of such a run, all or none of them; without answers, only follows it. The outcome is that of its
   * next pause or end.
   */
  readonly follow: (id: string, answers?: readonly MountAnswerTo[]) => Promise<MountedRun>;
  /** Starts a run, or continues the one that waits in the session. */
  readonly start: (asked: RunRequest) => Promise<MountedRun>;
  /** The same, streamed; for a client that comes back with `Last-Event-ID`, what is left of the stream it had. */
  readonly ask: (asked: RunRequest, streaming: MountStreaming) => Promise<Response>;
}

/** The input of a run. */
export interface RunRequest extends Pick<
  StartOptions,
  "input" | "images" | "history" | "agent" | "limits" | "options"
> {
  /** The id of a crew that is served. */
  readonly crew?: string | undefined;
  /** The client's session; a new one if it has none. */
  readonly session?: string | undefined;
  /** One of the models that the server offers. */
  readonly model?: string;
  /** The request's field with the input, for errors. Default `input`. */
  readonly field?: string;
}

/** Options of a run's stream. */
export interface MountStreaming {
  /** The name of a dialect: one of the server's, or one that is mounted. */
  readonly dialect: string;
  readonly options?: DialectOptions;
  /** Effect of a client's disconnect on the run. Default `detach`. */
  readonly onDisconnect?: "detach" | "cancel";
}

/** A crew that is served, by its name in routes. */
export type MountedCrew = Readonly<{ id: string; crew: Crew; expose?: CrewExposure }>;

/** An answer to an open question of a run. */
export type MountAnswerTo = Readonly<{ question: string; value: Json }>;

/** A run as a mounted route sees it. */
export interface MountedRunView {
  readonly id: string;
  readonly session: string | undefined;
  /** The id of its crew. */
  readonly crew: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly status: RunRecord["status"];
  readonly questions: readonly OpenQuestion[];
  /** Once it is paused or has ended. */
  readonly result: RunResult | undefined;
}

/** A run that a mounted route has started or gone on with. */
export interface MountedRun {
  readonly id: string;
  readonly session: string | undefined;
  /** The answer that streams it to its next pause or end. */
  readonly stream: (streaming: MountStreaming) => Promise<Response>;
  /** Its events since it was started, or since its answers; those that come included. */
  readonly events: () => AsyncIterableIterator<RunEvent>;
  /** Resolves with the result at the next pause or end; undefined if the server stopped before, and the run continues elsewhere. */
  readonly outcome: () => Promise<RunResult | undefined>;
}

/** A route whose `handle` knows the types of its schemas. */
export function defineRoute<Query extends z.ZodType, Body extends z.ZodType>(
  route: RouteMount<Query, Body>,
): RouteMount {
  return route;
}

/** A run that a service starts. */
export interface ServiceStart extends Pick<StartOptions, "input" | "images" | "options" | "session"> {
  /** An ended run: the session begins with the conversation of that run's session, up to what it said. */
  readonly after?: string;
  readonly tenant: string;
  readonly user: string;
  /** The id of a crew that is served. Default: the first. */
  readonly crew?: string | undefined;
  /** The same key starts one run, however often it is asked for within 48 hours. */
  readonly key: string;
}

/** An event of a run that is followed. */
export interface FollowedEvent {
  readonly event: RunEvent;
  /** The text that the run has said to its user in this segment so far. */
  readonly text: () => string;
  /** The parts that the crew's assistant adds to the answer of the segment that this event ends. */
  readonly extras: (language: string) => AnswerExtras | undefined;
}

/** The event that a run is forked at, its new words, and the session that the fork begins with the run's history. */
export type ServiceFork = Readonly<{ seq: number; input?: string | undefined; session?: string | undefined }>;

/** The parts of a server that a mounted service may use. */
export interface ServiceHost {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Readonly<Record<"info" | "warn" | "error", (message: string, fields?: LogFields) => void>>;
  readonly crews: () => readonly MountedCrew[];
  /** Starts a run, or continues the one that waits in the session; gives its id. */
  readonly start: (asked: ServiceStart) => Promise<string>;
  readonly command: (run: string, command: Command) => Promise<Receipt | undefined>;
  /** Begins a run with everything that another one had finished at an event; gives its id. */
  readonly fork: (run: string, how: ServiceFork) => Promise<string>;
  /** The events of a run from its first to its end, those that come included. */
  readonly follow: (run: string, abort: AbortSignal) => AsyncGenerator<FollowedEvent, void>;
  /** Takes a lease that one server has at a time; gives the way to release it, or undefined if another one has it. */
  readonly lease: (key: string) => Promise<(() => Promise<void>) | undefined>;
}

/** A part of a product that works beside requests: begun after recovery, ended before streams. */
export interface ServiceMount {
  readonly name: string;
  begin(host: ServiceHost): AsyncDisposable | Promise<AsyncDisposable>;
}

/** Any JSON, for a route that reads its body by itself. */
export const JSON_BODY = z.unknown();

/** Creates the registry of a product's own metrics: define them with `defineMeter`, give it to the server as `metrics`. */
export function createMetricsRegistry(): Registry {
  return new Registry();
}
