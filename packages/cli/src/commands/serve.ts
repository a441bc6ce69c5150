/**
 * `baton serve`: serves crews over HTTP until a signal.
 *
 * Invalid settings and crews are reported before the server listens. The shutdown is graceful: a run that is still
 * running after the grace period continues at the next start.
 */
import { BatonError } from "@baton/core";
import { omitUndefined, toBatonError, toMessage } from "@baton/core/util";
import type { RunningServer, ServerOptions } from "@baton/server";
import { isLoopback } from "@baton/server/hosts";
import { CREATE_KEY } from "@baton/server/keys";
import type { ToolThreads } from "@baton/durable/threads";
import type { Store } from "@baton/store";
import { openThreads } from "../crew/crew-loader.ts";
import { toStore } from "../runs/data-folder.ts";
import { EXIT_CODES } from "../exit-code.ts";
import type { CliCommand, CommandLine } from "../command-line.ts";
import { toOneLine, toPrintable } from "../terminal/printable.ts";
import { toDialects, toMounts } from "../serve/assistant-module.ts";
import { type Configured, configure } from "../serve/config.ts";
import { toConfigText } from "../serve/config-view.ts";
import { openDatabase, toPlace } from "../serve/database-choice.ts";
import { toKeyCommand } from "../serve/key-command.ts";
import { checkShared, choosePlacement, type ServeRole } from "../serve/placement-choice.ts";
import { findServed, type FoundCrew, toServed } from "../serve/served-crews.ts";
import { ServedModels } from "../serve/served-models.ts";
import { LogView } from "../serve/log-view.ts";
import { Screen } from "../terminal/screen.ts";
import { openOutput, writeTogether } from "../terminal/output.ts";
import { toStartupLines, type StartupInfo } from "../serve/startup-message.ts";
import { toSecrets } from "../serve/secrets.ts";
import type { Config } from "../serve/settings.ts";
import { openSharedServices } from "../serve/shared-services.ts";
import { waitForStopSignal } from "../serve/stop-signal.ts";
import { watchCrews } from "../serve/crew-watcher.ts";
import manifest from "../../package.json" with { type: "json" };
import { catchUncaughtErrors, ignoreWriteErrors } from "../uncaught-errors.ts";

const DAY_MS = 86_400_000;
const MIB = 1_024 * 1_024;
const MINUTE_SECONDS = 60;

/** Serves crews; the exit code is 0 after a clean stop. */
export const command: CliCommand = (commandLine) => serveAs("server", commandLine);

/** Serves crews, or executes what servers accept. */
export async function serveAs(role: ServeRole, commandLine: CommandLine): Promise<number> {
  const configured = await configure(commandLine, process.env);
  if (commandLine.flags.has("print-config")) {
    process.stdout.write(toConfigText(configured));
    return EXIT_CODES.done;
  }
  ignoreWriteErrors();
  const { config } = configured;
  checkShared(role, config);
  // The code of crews may read these variables.
  if (config.redis !== undefined) process.env["BATON_REDIS"] = config.redis;
  const warning = { print: toStderr };
  await using shared = await openSharedServices(config, process.env, (text) => warning.print(text));
  await using threads = openThreads();

  process.env["BATON_DATA"] = config.data;
  const crews = await findServed(config.crews, threads);
  await checkPlace(crews, config.host);
  const models = await ServedModels.choose(crews, config, process.env);
  const store = await toStore(shared.layer(await openDatabase(config)));
  models.spendIn(store.database.ledger);
  const stopped = waitForStopSignal();
  const log = toLogView(config);
  const console = role === "server" ? await findConsole() : undefined;
  await using chosen = await choosePlacement(role, config, {
    clock: store.clock,
    warn: (text) => warning.print(text),
  });
  const { placement } = chosen;
  const options = toOptions(config, crews, {
    logTo: log,
    store,
    placement,
    ...omitUndefined({ countRequest: shared.countRequest }),
    model: models.modelOf,
    replaceProgram: models.replaceProgram,
    breakers: models.breakers,
    about: { version: manifest.version, model: models.reasons.join("; ") },
    ...omitUndefined({ console }),
  });
  const server = await listen(options, configured).catch((error: unknown) => {
    log.release();
    throw error;
  });
  warning.print = (text) => server.warn(text);
  process.stdout.write(toPrintable(`listening on ${server.url}\n`));
  const { url } = server;
  printStartup({ url, crews, reasons: models.reasons, hasConsole: console !== undefined, place: toPlace(config) });
  log.release();
  catchUncaughtErrors((error) => server.report(error));
  await using _watching = config.watch ? watchServed(server, models, { crews, threads, config, store }) : undefined;
  await stopped;
  process.stdout.write(
    `stopping; runs may continue for ${config.grace_seconds} s; a second signal stops immediately\n`,
  );
  return await stop(server, { placement: chosen, store });
}

/** The log as text, if the format is `text`, or `auto` on a terminal; else as JSON. */
function toLogView({ log_format }: Config): LogView {
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

/** The folder of the console; undefined if it cannot be built. The API works without it. */
async function findConsole(): Promise<string | undefined> {
  try {
    const { ensureConsole } = await import("@baton/console/build");
    return await ensureConsole();
  } catch (error) {
    toStderr(`the console is not served because its build failed: ${toMessage(error)}`);
    return undefined;
  }
}

/** What is needed to reload crews. */
interface Watched {
  readonly crews: readonly FoundCrew[];
  readonly threads: ToolThreads;
  readonly config: Config;
  readonly store: Store;
}

/** Reloads crews when their files change; models are chosen again before a new version is served. */
function watchServed(
  server: RunningServer,
  models: ServedModels,
  { crews, threads, config, store }: Watched,
): AsyncDisposable {
  return watchCrews({
    crews,
    threads,
    clock: store.clock,
    serve: async (read) => {
      await models.chooseAgain(read, config, process.env);
      server.replaceCrews(read.map(toServed));
    },
    warn: (text) => server.warn(text),
  });
}

/** Lets each assistant refuse the address of the server. */
async function checkPlace(crews: readonly FoundCrew[], host: string): Promise<void> {
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

function toStderr(text: string): void {
  process.stderr.write(`baton: ${toOneLine(text)}\n`);
}

function toLine(reason: string): string {
  return `${toOneLine(reason)}\n`;
}

/** Starts the server; closes the store if that fails. */
async function listen(options: ServerOptions, configured: Configured): Promise<RunningServer> {
  try {
    const { startServer } = await import("@baton/server");
    return await startServer(options);
  } catch (error) {
    await options.store[Symbol.asyncDispose]();
    throw toRefusal(error, options, configured);
  }
}

/** Stops the server; an error here is not wrong usage. */
async function stop(server: RunningServer, parts: Readonly<Record<string, AsyncDisposable>>): Promise<number> {
  try {
    await server.stop();
    for (const part of Object.values(parts)) await part[Symbol.asyncDispose]();
    return EXIT_CODES.done;
  } catch (error) {
    const { message } = toBatonError(error, "internal");
    process.stderr.write(
      `baton: the server did not stop cleanly: ${toOneLine(message)}; the next start recovers its runs\n`,
    );
    return EXIT_CODES.failed;
  }
}

function toOptions(
  config: Config,
  crews: readonly FoundCrew[],
  own: Pick<
    ServerOptions,
    "store" | "model" | "replaceProgram" | "breakers" | "about" | "countRequest" | "console" | "logTo" | "placement"
  >,
): ServerOptions {
  const { host, port, models, allowed_hosts, origins, max_runs, log_level, keep_runs, keep_days, rate_limit } = config;
  return {
    ...own,
    crews: crews.map(toServed),
    ...toMounted(crews),
    host,
    port,
    allowedHosts: allowed_hosts,
    origins,
    graceMs: config.grace_seconds * 1_000,
    maxRuns: max_runs,
    maxToolCalls: config.max_tool_calls,
    maxBodyBytes: config.max_body_mb * MIB,
    logLevel: log_level,
    secrets: toSecrets([config.postgres, config.redis, config.qdrant], process.env),
    retention: {
      ...(keep_runs === undefined ? {} : { maxRuns: keep_runs }),
      ...(keep_days === undefined ? {} : { maxAgeMs: keep_days * DAY_MS }),
    },
    ...(models === undefined ? {} : { models }),
    ...(rate_limit === undefined ? {} : { rateLimits: toRateLimits(rate_limit) }),
  };
}

/** The routes, dialects and shutdown hooks of the crews' assistants. */
function toMounted(crews: readonly FoundCrew[]): Pick<ServerOptions, "routes" | "dialects" | "onShutdown"> {
  const assistants = crews.flatMap(({ id, assistant }) => (assistant === undefined ? [] : [{ id, assistant }]));
  return {
    routes: assistants.flatMap(({ id, assistant }) => toMounts(id, assistant)),
    dialects: assistants.flatMap(({ id, assistant }) => toDialects(id, assistant)),
    onShutdown: assistants.flatMap(({ assistant: { onShutdown } }) => onShutdown ?? []),
  };
}

function toRateLimits(limits: NonNullable<Config["rate_limit"]>): NonNullable<ServerOptions["rateLimits"]> {
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
function toRefusal(error: unknown, { host = "", port = 0 }: ServerOptions, configured: Configured): unknown {
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
