/**
 * Options: what a server is started with; the caller chooses the store and the models.
 */
import type { Agent, Crew, Model, RunEvent } from "@baton/core";
import type { CrewExposure, OnShutdown } from "@baton/crewfile";
import type { GuardOf } from "@baton/core/ports";
import type { DurableEngine, Placement } from "@baton/durable";
import type { Store } from "@baton/store";
import type { Dialect } from "./dialects/dialect.ts";
import type { RequestRateLimits } from "./gateway/rate/rate-limit.ts";
import type { RequestCounter } from "./gateway/rate/shared-rate-limiter.ts";
import type { RouteMount, ServiceMount } from "./mount.ts";
import type { ServedModel } from "./runs/model-view.ts";
import type { RunOrigin } from "./observe/open-runs.ts";
import type { Telemetry } from "./observe/otlp/telemetry.ts";
import type { MetricsRegistry } from "./observe/meters.ts";

/** A crew that is served. */
export interface ServedCrew {
  /** Its name in routes: the folder's name, or the crew's. */
  readonly id: string;
  readonly crew: Crew;
  /** Findings of a check, each with severity, message and fix. */
  readonly findings: readonly CrewFinding[];
  /** Form in which it is served. Default `crew`. */
  readonly kind?: "crew" | "assistant";
  /** The file and line of each agent's system prompt, by the agent's id. */
  readonly prompts?: ReadonlyMap<string, Readonly<{ file: string; line: number }>>;
  /** The crew as a tool of other programs. */
  readonly expose?: CrewExposure;
  /** Called before the process ends, for its tools. */
  readonly onShutdown?: OnShutdown;
}

/** One finding of a check of a crew. */
export interface CrewFinding {
  /** Stable name of the kind of defect. */
  readonly code?: string;
  readonly severity: "error" | "warning" | "note";
  readonly message: string;
  readonly fix: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The field as YAML spells it. */
  readonly path?: string;
  /** The shortest conversation that shows it: agents, signals and groups in turn. */
  readonly conversation?: readonly string[];
}

/** Facts that the server reports about itself. */
export interface ServerAbout {
  readonly version: string;
  /** The model that answers, and why, in words. */
  readonly model: string;
}

/** Sees what happens in all runs of an engine. */
export interface EngineWatcher {
  readonly observe: (event: RunEvent) => void;
  /** The tool of a call has started. */
  readonly began: (run: string, call: string) => void;
  /** The placement says that schedules are due. */
  readonly schedulesDue?: () => Promise<unknown>;
}

/** The engine of a program and of the servers that it starts: a `ServerEngine`. */
export interface SharedEngine {
  readonly store: Store;
  readonly engine: DurableEngine;
  /** The crew as this engine runs it: its tools tell no secrets. */
  toRedacted(crew: Crew): Crew;
  /** Sees the events of all runs from now on, until the given function is called. */
  watch(watcher: EngineWatcher): () => void;
  /** Uses these crews from now on: runs that begin have them, those under way keep theirs. */
  replaceCrews(crews: readonly ServedCrew[]): void;
  /** Says where a run comes from, for its spans, before it is started or resumed. */
  link(run: string, origin: RunOrigin): void;
}

/** Options of a server. */
export interface ServerOptions {
  readonly about?: ServerAbout;
  readonly store: Store;
  /** At least one; the first is the default. */
  readonly crews: readonly ServedCrew[];
  readonly model: (agent: Agent, crew: Crew) => Model;
  /**
   * The engine of a program that starts runs of its own, on the same `store`: the server shows and commands them, and
   * all runs continue when it stops. `model`, `secrets`, `maxToolCalls` and `replaceProgram` are then the engine's.
   * Default: an engine of its own.
   */
  readonly engine?: SharedEngine;
  /** Decides which process executes runs; by default this one, on a lease in the store. Not with an `engine`. */
  readonly placement?: Placement;
  /** Replaces a program in a test. */
  readonly replaceProgram?: (agent: Agent, crew: Crew) => Model | undefined;
  /** Makes a guard of a crew's policies; without it crews that have some are refused. */
  readonly guardOf?: GuardOf;
  /** Models that a request may name, as the `model` of a run or in a `configure` command. Default: those that the crews name. */
  readonly models?: readonly string[];
  /** Describes these models for a picker. Default: only their names. */
  readonly listModels?: (names: readonly string[]) => Promise<readonly ServedModel[]>;
  /** The folder of a built console, for browsers. Without it there is one plain page. */
  readonly console?: string;
  /** Routes that a product adds. */
  readonly routes?: readonly RouteMount[];
  /** Work beside requests that a product adds. */
  readonly services?: readonly ServiceMount[];
  /** Dialects that a product adds, for its routes and for `GET /api/runs/:id/events`. */
  readonly dialects?: readonly Dialect[];
  /** The address to listen on. Default 127.0.0.1 and 8080; port 0 picks a free one. */
  readonly host?: string;
  readonly port?: number;
  readonly allowedHosts?: readonly string[];
  /** Origins that browsers may call from; none by default. */
  readonly origins?: readonly string[];
  readonly rateLimits?: RequestRateLimits | "off";
  /** The shared request counter of several servers, such as `redisRate`; by default each server counts its own. */
  readonly countRequest?: RequestCounter;
  /** Grace period for running runs when the server stops. Default 30,000. */
  readonly graceMs?: number;
  /** Called when it stops and its runs have ended or were left, and awaited for what remains of the grace period. */
  readonly onShutdown?: readonly OnShutdown[];
  /** The largest body, and four times as much if images are allowed. Default 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Number of concurrent runs from which on new ones are refused with 503. Default 1,000. */
  readonly maxRuns?: number;
  /** Tool calls that run at the same time, in all runs together. Default 256. */
  readonly maxToolCalls?: number;
  readonly logLevel?: "silent" | "error" | "warn" | "info" | "debug";
  /** The sink of log lines. Default: standard error. */
  readonly logTo?: { write(line: string): unknown };
  /** Texts that are taken out of logs, of what models say of their failures, and of all that tools say. */
  readonly secrets?: readonly string[];
  /** Returns the models that have a breaker, and whether it is open; called when metrics are read. */
  readonly breakers?: () => Iterable<readonly [model: string, isOpen: boolean]>;
  /** Sends spans and metrics of runs to a collector. Without it, a tracer provider that the process has registered is used. */
  readonly telemetry?: Telemetry;
  /** Metrics that products add to `/metrics`, by the product's name. No two metrics may have the same name. */
  readonly metrics?: ReadonlyMap<string, MetricsRegistry>;
  /** Ended runs that are kept. */
  readonly retention?: { readonly maxRuns?: number; readonly maxAgeMs?: number };
}

/** A server that accepts requests. */
export interface RunningServer {
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Logs an uncaught error: most likely one that a tool left behind. */
  report(error: unknown): void;
  /** Writes to the log what does not stop it and should be known. */
  warn(text: string): void;
  /** Serves these crews instead: runs that begin have them, those under way keep theirs. Throws if they cannot be served. */
  replaceCrews(crews: readonly ServedCrew[]): void;
  /** Graceful shutdown: runs continue for the grace period, the rest is left for the next start, streams end. */
  stop(): Promise<void>;
}
