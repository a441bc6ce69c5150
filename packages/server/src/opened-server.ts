/**
 * Opened server: everything behind the routes of a server, for one that listens on a port and for one in process.
 *
 * It begins by recovering interrupted runs. When it stops, runs have a grace period, the rest is left for the next
 * start, and clients of streams are asked to reconnect; the caller closes the store.
 */
import { BatonError } from "@baton/core";
import { omitUndefined, toMessage } from "@baton/core/util";
import { readAll } from "@baton/store";
import { Admission } from "./runs/admission.ts";
import { createApp } from "./app.ts";
import { Dialects } from "./dialects/dialects.ts";
import { hostsBeyondLoopback, isLoopback } from "./gateway/host-check.ts";
import type { Fetches, UpgradedConnection } from "./gateway/http-server.ts";
import { CREATE_KEY, KeyRing } from "./gateway/keys.ts";
import { type RateCounting, warnOnce } from "./gateway/rate/shared-rate-limiter.ts";
import { type Identify, isNamedCaller } from "./gateway/caller.ts";
import type { LogFields } from "./observe/log-line.ts";
import type { Readings } from "./observe/server-metrics.ts";
import { createObserver, type Observing } from "./observe/observer.ts";
import type { ServedCrew, ServerOptions, SharedEngine } from "./options.ts";
import { type ConsoleFiles, readConsole } from "./routes/console.ts";
import { toPlainModel } from "./runs/model-view.ts";
import { AwaitedRuns } from "./runs/awaited-runs.ts";
import { RetentionJob } from "./runs/retention-job.ts";
import { toScheduler } from "./runs/schedules.ts";
import { openServiceHost } from "./runs/service-host.ts";
import { toFeedCrew, toFeedView } from "./runs/feed-view.ts";
import { ServerEngine } from "./runs/server-engine.ts";
import { ServedCrews } from "./runs/served-crews.ts";
import type { Service } from "./service.ts";
import { runShutdown } from "./shutdown.ts";
import { ChangeFeed } from "./streams/change-feed.ts";
import { SocketHub } from "./sockets/socket-hub.ts";
import { toSocketOps } from "./sockets/socket-ops.ts";
import { StreamHub } from "./streams/stream-hub.ts";

const GRACE_MS = 30_000;
const MAX_RUNS = 1_000;
const MAX_BODY_BYTES = 8 * 1_024 * 1_024;
/** Images may make a body four times as large. */
const IMAGE_BODY_FACTOR = 4;
const MAX_TICK_MS = 1_000;

/** Where requests come from. */
export interface Access {
  /** The address that the server listens on; undefined if requests come from the same process. */
  readonly bound: string | undefined;
  /** Names the caller of a request, instead of keys. */
  readonly identify?: Identify | undefined;
  /** The beginning of every path: `/agents`, or empty. */
  readonly basePath?: string | undefined;
}

/** A server that can answer requests. */
export interface OpenedServer {
  readonly app: Fetches;
  readonly observer: Observing;
  readonly report: (error: unknown, about?: LogFields) => void;
  /** Takes a connection that becomes a WebSocket. */
  readonly acceptSocket: (connection: UpgradedConnection) => void;
  readonly replaceCrews: (crews: readonly ServedCrew[]) => void;
  /** Makes the parts end it, in the right order; what is deferred before ends after it. */
  readonly endWith: (parts: AsyncDisposableStack) => void;
  /** Recovers runs and begins schedules. From now on a stop has a grace period. */
  readonly begin: () => Promise<void>;
  /** The grace period begins; the parts must be disposed of next. */
  readonly stopping: () => void;
}

/** Opens the parts of a server; they end with `parts`, also if it cannot be opened. */
export async function openServer(
  asked: ServerOptions,
  parts: AsyncDisposableStack,
  access: Access,
): Promise<OpenedServer> {
  const { store } = asked;
  const { clock, database } = store;
  const { bound, basePath = "" } = access;
  const readLog = async (run: string, last: number) => (await readAll(database, run)).slice(0, last);
  const observer = parts.adopt(createObserver({ ...asked, readLog }), (made) => made.close());
  const options = toOwnOptions(asked, observer, parts);
  parts.defer(watchRuns(options, observer));
  const keys = new KeyRing({ database, clock, isLoopback: bound === undefined || isLoopback(bound) });
  await keys.checkSafe();
  const console = options.console === undefined ? undefined : await readConsole(options.console);
  const reportError: OpenedServer["report"] = (error, about) => report(observer, error, about);
  const sockets = new SocketHub({ store, keys, maxBytes: options.maxBodyBytes ?? MAX_BODY_BYTES, report: reportError });
  const service = toService(options, { observer, keys, console, basePath, sockets });
  const app = openApp(service, options, { keys, access, report: reportError });
  const socketOps = toSocketOps(options.routes ?? []);
  const retention = new RetentionJob(options, observer.logger);
  const scheduler = toScheduler(service, options.placement);
  const services = new AsyncDisposableStack();
  // What a server that cannot start has begun is left at once.
  let graceMs = 0;
  let stopsAt: number | undefined;
  return {
    app,
    observer,
    report: reportError,
    acceptSocket: (one) => sockets.accept({ app, service, ops: socketOps, report: reportError }, one),
    replaceCrews: (crews) => replaceCrews(service, options.engine, crews),
    endWith(owner) {
      for (const part of [service.hub, sockets, service.feed]) owner.defer(() => part.close());
      // Not called if the server never started: its owner may try again.
      owner.defer(async () => {
        if (stopsAt === undefined) return;
        const remainingMs = stopsAt - clock.monotonic();
        await runShutdown(toShutdown(asked), { clock, logger: observer.logger, remainingMs });
      });
      owner.defer(() => (asked.engine === undefined ? stopEngine(service, graceMs) : leaveEngine(service, graceMs)));
      owner.defer(() => retention.end());
      owner.use(scheduler);
      owner.defer(options.engine.watch({ observe() {}, began() {}, schedulesDue: () => scheduler.tick() }));
      owner.defer(() => services.disposeAsync());
      // New runs are refused from the first moment; streams and probes are served until the runs are done or left.
      owner.defer(() => service.admission.stop());
    },
    async begin() {
      await retention.begin();
      await service.engine.recover();
      await scheduler.begin();
      for (const one of options.services ?? []) services.use(await one.begin(openServiceHost(service, one.name)));
      await warnOfRefused(options, keys, observer);
      graceMs = options.graceMs ?? GRACE_MS;
    },
    stopping() {
      observer.logger.info("stopping", { reason: "asked to stop" });
      stopsAt = clock.monotonic() + graceMs;
    },
  };
}

interface AppParts extends Pick<OpenedServer, "report"> {
  readonly keys: KeyRing;
  readonly access: Access;
}

function openApp(service: Service, options: OwnOptions, { keys, access, report: tell }: AppParts): Fetches {
  const { bound, identify } = access;
  return createApp(service, options.routes ?? [], {
    clock: service.store.clock,
    keys,
    hosts: { bound, allowedHosts: options.allowedHosts ?? [], origins: options.origins ?? [] },
    ...omitUndefined({ identify, rateLimits: options.rateLimits, countRequest: service.counting.countRequest }),
    report: (error, { requestId, path }) => tell(error, { request: requestId, path }),
  });
}

/** Says once that requests through a proxy are refused while there is no key. */
async function warnOfRefused(
  { allowedHosts = [] }: ServerOptions,
  keys: KeyRing,
  { logger }: Observing,
): Promise<void> {
  const hosts = hostsBeyondLoopback(allowedHosts);
  if (hosts.length === 0 || !(await keys.isOpen())) return;
  logger.warn(`requests to ${hosts.join(", ")} get 401 until this server has an API key: \`${CREATE_KEY}\``);
}

/** The options of a server that has its engine. */
interface OwnOptions extends ServerOptions {
  readonly engine: SharedEngine;
}

function openEngine(
  asked: ServerOptions,
  { warn }: Pick<Observing["logger"], "warn">,
  parts: AsyncDisposableStack,
): SharedEngine {
  const engine = new ServerEngine({ ...asked, warn: (text) => warn(text) });
  parts.defer(() => engine.endSpans());
  return engine;
}

function toOwnOptions(asked: ServerOptions, { logger }: Observing, parts: AsyncDisposableStack): OwnOptions {
  const engine = asked.engine ?? openEngine(asked, logger, parts);
  if (engine.store !== asked.store) throw new BatonError("invalid", "`store` must be the store of `engine`");
  return { ...asked, engine, crews: toServed(engine, asked.crews) };
}

function toServed(engine: SharedEngine, crews: readonly ServedCrew[]): readonly ServedCrew[] {
  return crews.map((one) => ({ ...one, crew: engine.toRedacted(one.crew) }));
}

function replaceCrews(service: Service, engine: SharedEngine, read: readonly ServedCrew[]): void {
  service.crews.replace(toServed(engine, read));
  engine.replaceCrews(read);
  service.feed.crewsChanged();
}

/** Returns the shutdown callbacks; the tools of a program's own crews are still in use. */
function toShutdown({ engine, crews, onShutdown }: ServerOptions): Parameters<typeof runShutdown>[0] {
  return omitUndefined({ onShutdown, crews: engine === undefined ? crews : undefined });
}

/** Shows the observer all runs of the engine; gives the way to end that. */
function watchRuns({ engine, store: { clock } }: OwnOptions, observer: Observing): () => void {
  return engine.watch({
    observe: (event) => observer.observe(event),
    began: (run, call) => observer.began(run, call, clock.now()),
  });
}

interface Watching {
  readonly observer: Observing;
  readonly keys: KeyRing;
  readonly console: ConsoleFiles | undefined;
  readonly basePath: string;
  readonly sockets: SocketHub;
}

function toService(options: OwnOptions, { observer, keys, console, basePath, sockets }: Watching): Service {
  const { store, maxRuns = MAX_RUNS, maxBodyBytes = MAX_BODY_BYTES } = options;
  const { engine } = options.engine;
  const crews = new ServedCrews(options.crews);
  const keepAlivesMs = options.crews.map(({ crew }) => crew.settings.sseKeepAliveMs);
  const tickMs = Math.max(1, Math.min(MAX_TICK_MS, ...keepAlivesMs.map((keepAliveMs) => keepAliveMs / 2)));
  const isWelcome = async (key: string) => isNamedCaller(key) || keys.isWelcome(key);
  const hub = new StreamHub({
    store,
    engine,
    tickMs,
    isWelcome,
    report: (error) => report(observer, error),
  });
  const feed = new ChangeFeed({
    database: store.database,
    clock: store.clock,
    isWelcome,
    toCurrent: (record) => engine.current(record),
    toView: (record) => toFeedView({ crews, basePath }, record),
    toCrews: () => crews.all.map(toFeedCrew),
    report: (error) => report(observer, error),
  });
  const { telemetry } = options;
  observer.read({
    telemetryDropped: () => telemetry?.dropped ?? 0,
    streams: toStreams(hub, feed),
    mailbox: () => ({ depth: engine.unheard, fill: engine.mailboxFill }),
  });
  return {
    store,
    engine,
    crews,
    keys,
    dialects: new Dialects(options.dialects),
    hub,
    feed,
    sockets,
    admission: new Admission({ engine, store, maxRuns }),
    observer: { ...observer, link: (run, origin) => linkBoth(options.engine, observer, { run, origin }) },
    console,
    basePath,
    counting: toCounting(options, observer),
    about: options.about ?? { version: "", model: "" },
    breakers: options.breakers ?? (() => []),
    models: new Set(options.models ?? crews.models),
    listModels: options.listModels ?? (async (names) => names.map(toPlainModel)),
    cancelOnDisconnect: new Set(),
    awaited: new AwaitedRuns(),
    maxBodyBytes,
    maxImageBodyBytes: maxBodyBytes * IMAGE_BODY_FACTOR,
  };
}

/** Says where a run comes from to its log lines, and to its spans. */
function linkBoth(
  engine: SharedEngine,
  observer: Observing,
  { run, origin }: { readonly run: string; readonly origin: Parameters<Observing["link"]>[1] },
): void {
  observer.link(run, origin);
  engine.link(run, origin);
}

/** All streams, of runs and of what changed. */
function toStreams(hub: StreamHub, feed: ChangeFeed): Readings["streams"] {
  return {
    get size() {
      return hub.size + feed.size;
    },
    get behind() {
      return hub.behind;
    },
    get dropped() {
      return hub.dropped + feed.dropped;
    },
  };
}

function toCounting({ store, countRequest }: ServerOptions, { logger }: Observing): RateCounting {
  const warn = (text: string) => logger.warn(text);
  return { clock: store.clock, countRequest: countRequest && warnOnce(countRequest, warn) };
}

/** Runs continue for the grace period; the rest is left for the next start. */
async function stopEngine(service: Service, graceMs: number): Promise<void> {
  await service.engine.stop({ graceMs, beforeLeaving: () => cancelTied(service) });
}

/** Runs that clients wait for have the grace period; then all continue without this server. */
async function leaveEngine(service: Service, graceMs: number): Promise<void> {
  await service.awaited.settled(service.store.clock, graceMs);
  await cancelTied(service);
  service.awaited.leave();
}

/** No client could ever get the answers of these runs: their clients are asked to send the request again. */
async function cancelTied({ engine, cancelOnDisconnect }: Service): Promise<void> {
  const cancel = { type: "cancel", reason: "the server stopped" } as const;
  await Promise.allSettled([...cancelOnDisconnect].map((run) => engine.command(run, cancel)));
}

function report({ logger }: Observing, error: unknown, about: LogFields = {}): void {
  const { stack, cause } = error instanceof Error ? error : { stack: undefined, cause: undefined };
  const why = cause === undefined ? undefined : toMessage(cause);
  logger.error("something failed", { ...about, error: toMessage(error), cause: why, stack });
}
