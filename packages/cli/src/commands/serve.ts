/**
 * `baton serve`: serves crews over HTTP until a signal.
 *
 * Invalid settings and crews are reported before the server listens. The shutdown is graceful: a run that is still
 * running after the grace period continues at the next start.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CrewMcp } from "@baton/baton/mcp";
import { openParts, type BatonParts, type PartsOptions } from "@baton/baton/parts";
import { installedInterpreter, installedLevels } from "@baton/baton/crews";
import { describeStore } from "@baton/baton/store";
import { BatonError } from "@baton/core";
import { omitUndefined, toBatonError, toMessage } from "@baton/core/util";
import type { ToolThreadsOptions } from "@baton/durable/threads";
import { startWatchdog } from "@baton/server/watchdog";
import type { RunningServer, ServerOptions } from "@baton/server";
import { isLoopback } from "@baton/server/hosts";
import { CREATE_KEY } from "@baton/server/keys";
import { MODEL_HINT, openThreads } from "../crew/crew-loader.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { CliCommand, CommandLine } from "../command-line.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { toDialects, toMounts } from "../serve/assistant-module.ts";
import { type Configured, configure, POSTGRES_SETTING } from "../serve/config.ts";
import { toConfigText } from "../serve/config-view.ts";
import { toKeyCommand } from "../serve/key-command.ts";
import { type CrewReader, findServedCrews, type FoundCrew } from "../serve/served-crews.ts";
import { LogView } from "../serve/log-view.ts";
import { openChannels, type OpenedChannels } from "../serve/open-channels.ts";
import { Screen } from "../terminal/screen.ts";
import { openOutput, writeTogether } from "../terminal/output.ts";
import { toStartupLines, type StartupInfo } from "../serve/startup-message.ts";
import type { ServerConfig } from "../serve/settings.ts";
import { waitForStopSignal } from "../serve/stop-signal.ts";
import { CrewWatcher } from "../serve/crew-watcher.ts";
import { catchUncaughtErrors, ignoreWriteErrors } from "../uncaught-errors.ts";

const DAY_MS = 86_400_000;
const MIB = 1_024 * 1_024;
const MINUTE_SECONDS = 60;
/** Time for the last answers of a server that has lost its store. */
const LAST_ANSWERS_MS = 500;

type ServeRole = "server" | "worker";

/** Serves crews; the exit code is 0 after a clean stop. */
export const command: CliCommand = (commandLine) => serveAs("server", commandLine);

/** Where sandboxed tools and code run: one line of workers for all crews. */
function toSandbox({ data, max_code: maxCode }: Pick<ServerConfig, "data" | "max_code">) {
  return { levels: installedLevels(), interpreter: installedInterpreter(maxCode), dataFolder: data };
}

/** Serves crews, or executes what servers accept. */
export async function serveAs(role: ServeRole, commandLine: CommandLine): Promise<number> {
  const configured = await configure(commandLine, process.env);
  if (commandLine.flags.has("print-config")) {
    process.stdout.write(toConfigText(configured));
    return EXIT_CODES.done;
  }
  ignoreWriteErrors();
  const channels = role === "server" ? await openChannels(configured.config, process.env) : undefined;
  await using _watchdog = startWatchdog();
  const { config } = configured;
  checkShared(role, config);
  // The code of crews may read these variables.
  if (config.redis !== undefined) process.env["BATON_REDIS"] = config.redis;
  process.env["BATON_DATA"] = config.data;
  const output = { warn: toStderr, fail: toStderr };
  const warn = (text: string) => output.warn(text);
  const threads = openThreads({ onStray: (text) => output.fail(text), ...toThreadOptions(config) });
  threads.shareAuto();
  await using mcp = toMcp(config, warn);
  const sandbox = { ...toSandbox(config), mcp: mcp.makeTools };
  const plain = { threads, sandbox };
  const reader = config.watch ? new CrewWatcher(plain, warn) : plain;
  await using parts = await openParts(toPartsOptions(role, config, { reader, warn }));
  const stopped = waitForStopSignal();
  const log = toLogView(config);
  const { findConsole, listen } = await import("@baton/baton/serving");
  const console = role === "server" ? await findConsole(toStderr) : undefined;
  const { crews } = parts;
  const reasons = parts.models.describe(crews);
  const { evalRoutes } = await import("../evals/eval-routes.ts");
  const added = withChannels(toMounted(crews), channels);
  const mounted = { ...added, routes: [...(added.routes ?? []), ...evalRoutes(crews)] };
  const options = { ...toOptions(config), ...mounted, logTo: log, ...omitUndefined({ console }) };
  const secrets = [...parts.secrets, ...(channels?.secrets ?? [])];
  const server = await listen({ ...parts, mcp, reasons, secrets }, options).catch((error: unknown) => {
    log.release();
    throw toRefusal(error, configured);
  });
  output.warn = (text) => server.warn(text);
  // The stack of this place says nothing about the tool.
  output.fail = (text) => server.report(Object.assign(new Error(text), { stack: text }));
  const { url } = server;
  process.stdout.write(toPrintable(`listening on ${url}\n`));
  printStartup({ url, crews, reasons, hasConsole: console !== undefined, place: describeStore(config) });
  log.release();
  catchUncaughtErrors((error) => server.report(error));
  await using _watching = reader instanceof CrewWatcher ? watchServed(server, parts, { reader, config }) : undefined;
  const { lost } = parts.store.database;
  const problem = await Promise.race(lost === undefined ? [stopped] : [stopped, lost]);
  if (problem !== undefined) await exitWithoutStore(problem);
  process.stdout.write(
    `stopping; runs may continue for ${config.grace_seconds} s; a second signal stops immediately\n`,
  );
  return await stop(server, parts);
}

/** Ends the process at once: nothing of its runs can be stored any more, so there is nothing to wait for. */
async function exitWithoutStore({ message }: BatonError): Promise<never> {
  toStderr(message);
  // Requests that are being answered get their 503 first.
  await sleep(LAST_ANSWERS_MS);
  process.exit(EXIT_CODES.failed);
}

/** Throws if processes that share the work would not share a database. */
function checkShared(role: ServeRole, { postgres, restate, accept_only }: ServerConfig): void {
  const what = restate !== undefined ? "--restate" : accept_only ? "--accept-only" : "a worker";
  const isShared = role === "worker" || accept_only || restate !== undefined;
  if (!isShared || postgres !== undefined) return;
  throw new BatonError(
    "invalid",
    `${what} needs a database that servers and workers share: set --postgres or BATON_POSTGRES`,
  );
}

/** The servers of crews; with Postgres, tokens belong to all servers, and so does their key. */
export function toMcp({ data, postgres, cassette }: ServerConfig, warn: (text: string) => void): CrewMcp {
  return new CrewMcp({ data, env: process.env, isShared: postgres !== undefined, cassette, warn });
}

type Reading = Readonly<{ reader: CrewReader; warn: (text: string) => void }>;

/** The parts of a server with these settings. */
export function toPartsOptions(
  role: ServeRole,
  config: ServerConfig,
  { reader, warn }: Reading,
): PartsOptions<FoundCrew> {
  const { script, model, models, restate, worker_host, worker_port } = config;
  return {
    env: process.env,
    store: config,
    services: config,
    plans: toUserPlans(config),
    telemetry: omitUndefined({ otlp: config.otlp, content: config.otlp_content || undefined }),
    threads: reader.threads,
    readCrews: async () => {
      const crews = await findServedCrews(config, reader);
      await checkAddress(crews, config.host);
      return crews;
    },
    models: {
      override: script === undefined ? model : "script",
      ...(models === undefined ? {} : { allowed: models }),
      load: "now",
      hint: MODEL_HINT,
    },
    placement: {
      role,
      acceptsOnly: config.accept_only,
      restate,
      worker: { admin: config.restate_admin, host: worker_host, port: worker_port, url: config.worker_url },
    },
    nameOf: (setting) => (setting === "postgres" ? POSTGRES_SETTING : `--${setting}`),
    warn,
  };
}

function toUserPlans({ plans: { free, premium } = {} }: ServerConfig): NonNullable<PartsOptions<FoundCrew>["plans"]> {
  const toLimits = (plan: typeof free = {}) =>
    omitUndefined({
      maxCostPerUserPerDayUsd: plan.max_cost_per_user_per_day,
      maxTokensPerUserPerDay: plan.max_tokens_per_user_per_day,
      maxCallsPerUserPerMinute: plan.max_calls_per_user_per_minute,
      maxCostPerTenantPerDayUsd: plan.max_cost_per_tenant_per_day,
      maxTokensPerTenantPerDay: plan.max_tokens_per_tenant_per_day,
      maxCallsPerTenantPerMinute: plan.max_calls_per_tenant_per_minute,
    });
  return { free: toLimits(free), premium: toLimits(premium) };
}

/** The log as text, if the format is `text`, or `auto` on a terminal; else as JSON. */
function toLogView({ log_format }: ServerConfig): LogView {
  const output = openOutput(process.stderr);
  const isText = log_format === "text" || (log_format === "auto" && output.isTerminal);
  return new LogView({ ...output, write: writeTogether(process.stderr) }, isText ? "text" : "json");
}

/** Prints what to open and what is served; without a terminal only the models. */
function printStartup(info: StartupInfo): void {
  const screen = new Screen(openOutput(process.stdout));
  if (screen.isTerminal) screen.draw(toStartupLines(info, screen.width));
  else process.stdout.write(toPrintable(info.reasons.map(toLine).join("")));
}

/** Reloads crews when their files change; models are chosen before a new version is served. */
function watchServed(
  server: RunningServer,
  { crews, models, store }: BatonParts<FoundCrew>,
  { reader, config: { script } }: Readonly<{ reader: CrewWatcher; config: ServerConfig }>,
): AsyncDisposable {
  return reader.watch({
    crews,
    script,
    clock: store.clock,
    serve: async (read) => {
      await models.add(read.map(({ source }) => source));
      server.replaceCrews(read.map(({ served }) => served));
    },
  });
}

/** The number of threads and their memory, if they are set. */
export function toThreadOptions({ tool_threads, tool_heap_mb }: ServerConfig): Partial<ToolThreadsOptions> {
  return omitUndefined({ size: tool_threads, heapMb: tool_heap_mb });
}

/** Lets each assistant refuse the address of the server. */
async function checkAddress(crews: readonly FoundCrew[], host: string): Promise<void> {
  for (const { path, assistant } of crews) {
    try {
      await assistant?.check?.({ host, isLoopback: isLoopback(host) });
    } catch (error) {
      throw new BatonError("invalid", `the assistant in ${path} refused to start: ${toMessage(error)}`, {
        cause: error,
      });
    }
  }
}

/** Writes a line to standard error. */
export function toStderr(text: string): void {
  process.stderr.write(`baton: ${toOneLine(text)}\n`);
}

function toLine(reason: string): string {
  return `${toOneLine(reason)}\n`;
}

/** Stops the server; an error here is not wrong usage. */
async function stop(server: RunningServer, parts: AsyncDisposable): Promise<number> {
  try {
    await server.stop();
    await parts[Symbol.asyncDispose]();
    return EXIT_CODES.done;
  } catch (error) {
    const { message } = toBatonError(error, "internal");
    process.stderr.write(
      `baton: the server did not stop cleanly: ${toOneLine(message)}; the next start recovers its runs\n`,
    );
    return EXIT_CODES.failed;
  }
}

/** The options of a server with these settings, but for its routes. */
export function toOptions(config: ServerConfig) {
  const { host, port, models, allowed_hosts, origins, max_runs, log_level, keep_runs, keep_days, rate_limit } = config;
  return {
    host,
    port,
    allowedHosts: allowed_hosts,
    origins,
    graceMs: config.grace_seconds * 1_000,
    maxRuns: max_runs,
    maxToolCalls: config.max_tool_calls,
    maxBodyBytes: config.max_body_mb * MIB,
    logLevel: log_level,
    mcp: config.mcp === "on",
    ...omitUndefined({ publicUrl: config.public_url, oauthIssuer: config.oauth_issuer }),
    retention: omitUndefined({
      maxRuns: keep_runs,
      maxAgeMs: keep_days === undefined ? undefined : keep_days * DAY_MS,
    }),
    ...(models === undefined ? {} : { models }),
    ...(rate_limit === undefined ? {} : { rateLimits: toRateLimits(rate_limit) }),
  };
}

/** The routes, dialects, shutdown hooks and metrics of the crews' assistants. */
export function toMounted(
  crews: readonly FoundCrew[],
): Pick<ServerOptions, "routes" | "dialects" | "onShutdown" | "metrics"> {
  const assistants = crews.flatMap(({ id, assistant }) => (assistant === undefined ? [] : [{ id, assistant }]));
  return {
    routes: assistants.flatMap(({ id, assistant }) => toMounts(id, assistant)),
    dialects: assistants.flatMap(({ id, assistant }) => toDialects(id, assistant)),
    onShutdown: assistants.flatMap(({ assistant: { onShutdown } }) => onShutdown ?? []),
    metrics: new Map(assistants.flatMap(({ id, assistant: { metrics } }) => (metrics ? [[id, metrics] as const] : []))),
  };
}

function withChannels(
  mounted: ReturnType<typeof toMounted>,
  channels: OpenedChannels | undefined,
): Pick<ServerOptions, "routes" | "services" | "dialects" | "onShutdown" | "metrics"> {
  if (channels === undefined) return mounted;
  const { routes, services, metrics } = channels;
  return {
    ...mounted,
    routes: [...(mounted.routes ?? []), ...routes],
    services,
    metrics: new Map([...(mounted.metrics ?? []), ...metrics]),
  };
}

function toRateLimits(limits: NonNullable<ServerConfig["rate_limit"]>): NonNullable<ServerOptions["rateLimits"]> {
  if (limits === "off") return limits;
  const { key, premium, session, global } = limits;
  const toQuota = (requests: number | undefined) =>
    requests === undefined ? undefined : { requests, windowSeconds: MINUTE_SECONDS };
  return omitUndefined({
    key: toQuota(key),
    premium: toQuota(premium),
    session: toQuota(session),
    global: toQuota(global),
  });
}

/** Turns the system's error for an address into a message that says what to do. */
function toRefusal(error: unknown, configured: Configured): unknown {
  const { host, port } = configured.config;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const said = LISTENING.get(code)?.(host, port);
  if (said !== undefined) return new BatonError("invalid", said, { cause: error });
  if (!(error instanceof BatonError) || !error.message.includes(CREATE_KEY)) return error;
  return new BatonError(error.code, error.message.replace(CREATE_KEY, toKeyCommand(configured)), { cause: error });
}

type ToMessage = (host: string, port: number) => string;

const UNKNOWN_HOST: ToMessage = (host) =>
  `this machine has no address ${host}; name one of its addresses with --host, such as 127.0.0.1`;

const LISTENING: ReadonlyMap<string, ToMessage> = new Map<string, ToMessage>([
  [
    "EADDRINUSE",
    (host, port) => `port ${port} of ${host} is in use; stop the other program, or choose another port with --port`,
  ],
  ["EACCES", (_host, port) => `port ${port} needs root rights; choose a port above 1023 with --port`],
  ["EADDRNOTAVAIL", UNKNOWN_HOST],
  ["ENOTFOUND", UNKNOWN_HOST],
  ["EAI_AGAIN", UNKNOWN_HOST],
  ["EINVAL", UNKNOWN_HOST],
]);
