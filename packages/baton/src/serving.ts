/**
 * Serving: crews over HTTP, with the console.
 */
import { toGuard } from "@baton/policy";
import { BatonError } from "@baton/core";
import { omitUndefined, toMessage } from "@baton/core/util";
import type { ListedModel } from "@baton/models";
import {
  type HandlerOptions,
  openHandler,
  type RunningHandler,
  type RunningServer,
  type ServerEngine,
  type ServerOptions,
  startServer,
} from "@baton/server";
import type { KnownCrew } from "./known-crews.ts";
import type { HandleOptions, ServeOptions } from "./options.ts";
import type { CrewMcp } from "./optional/crew-mcp.ts";
import type { BatonParts } from "./parts.ts";
import { type ProtocolOptions, protocolRoutes } from "./optional/protocol-routes.ts";
import manifest from "../package.json" with { type: "json" };

/** A server that accepts requests. */
export interface Served extends AsyncDisposable, Pick<RunningServer, "url" | "host" | "port"> {
  /** Stops accepting requests, and waits for the grace period until clients have their answers. Runs continue. */
  stop(): Promise<void>;
  /** Waits until the process is asked to end (SIGINT, SIGTERM), and stops. */
  untilSignal(): Promise<void>;
}

/** A server of an application, whose crews can change. */
export interface ApplicationServer extends Served, CrewServer {}

/** Serves crews that can change. */
export interface CrewServer {
  /** Serves these crews instead. */
  replaceCrews(crews: readonly KnownCrew[]): void;
  stop(): Promise<void>;
}

/** A handler of an application. */
export interface ApplicationHandler extends CrewServer, Pick<RunningHandler, "fetch"> {}

/** The parts that a server serves. */
interface Serving extends Pick<BatonParts, "crews" | "models" | "store" | "secrets" | "shared"> {
  /** Servers of the crews, whose sign-ins come back to this server. */
  readonly mcp?: CrewMcp;
  /** Sentences that say which models answer and why. */
  readonly reasons: readonly string[];
}

/** Options of a server beside its parts. */
type ListenOptions = ProtocolOptions &
  Omit<ServerOptions, keyof BatonParts | "model" | "replaceProgram" | "breakers" | "about" | "listModels">;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Starts a server on these parts; resolves once it accepts requests. */
export async function listen(serving: Serving, options: ListenOptions): Promise<RunningServer> {
  const routes = await toRoutes(serving, options);
  const server = await startServer({ ...options, ...toServerParts(serving), routes });
  serving.mcp?.takeCodesAt(options.publicUrl ?? server.url);
  return server;
}

async function toRoutes({ mcp }: Serving, options: ListenOptions): Promise<NonNullable<ServerOptions["routes"]>> {
  return [...(options.routes ?? []), ...(await protocolRoutes(options)), ...((await mcp?.routes()) ?? [])];
}

function toServerParts({ crews, models, store, secrets, shared, reasons }: Serving) {
  return {
    ...shared,
    store,
    crews: crews.map(({ served }) => served),
    model: models.modelOf,
    replaceProgram: models.replaceProgram,
    guardOf: toGuard,
    breakers: models.breakers,
    listModels: async (names: readonly string[]) => (await models.list(names)).map(toServedModel),
    about: { version: manifest.version, model: reasons.join("; ") },
    secrets,
  };
}

/** A model as the server's route tells it. */
function toServedModel({ maxOutput, price, ...model }: ListedModel) {
  const { cacheWrite = 0, ...prices } = price ?? { input: 0, output: 0, cached: 0 };
  return {
    ...model,
    ...omitUndefined({ max_output: maxOutput, price: price && { ...prices, cache_write: cacheWrite } }),
  };
}

/**
 * Serves the crews of an application on its engine: each shows and commands the runs of the other, and all runs continue
 * when the server stops.
 */
export async function serveApplication(
  serving: ApplicationServing,
  { console: page = true, ...options }: ServeOptions,
): Promise<ApplicationServer> {
  const { engine, say } = serving;
  checkCrews(serving);
  const console = page ? await findConsole(say) : undefined;
  const server = await listen(serving, { logLevel: "warn", ...options, engine, ...omitUndefined({ console }) }).catch(
    (error: unknown) => {
      throw toRefusal(error, options);
    },
  );
  const stop = () => server.stop();
  const replaceCrews = (all: readonly KnownCrew[]) => server.replaceCrews(all.map(({ served }) => served));
  const { url, host, port } = server;
  return { url, host, port, stop, replaceCrews, untilSignal: () => untilSignal(stop), [Symbol.asyncDispose]: stop };
}

/** The parts and the engine of an application. */
export type ApplicationServing = Serving & { readonly engine: ServerEngine; readonly say: (text: string) => void };

function checkCrews({ crews }: Serving): void {
  if (crews.length > 0) return;
  throw new BatonError("invalid", "there is no crew to serve; pass `crews` to openBaton, or start a crew first");
}

/** Answers requests of this process for the crews of an application, on its engine. */
export async function handleApplication(
  serving: ApplicationServing,
  { console: page, ...options }: HandleOptions,
): Promise<ApplicationHandler> {
  const { engine, say } = serving;
  checkCrews(serving);
  const console = (page ?? options.basePath === undefined) ? await findConsole(say) : undefined;
  const handler = await answerRequests(serving, { ...options, engine, ...omitUndefined({ console }) });
  return {
    fetch: handler.fetch,
    stop: handler.stop,
    replaceCrews: (all) => handler.replaceCrews(all.map(({ served }) => served)),
  };
}

/** Answers requests of this process on these parts. */
export async function answerRequests(
  serving: Serving,
  options: Omit<ListenOptions, "host" | "port"> & Pick<HandlerOptions, "basePath" | "identify">,
): Promise<RunningHandler> {
  const routes = await toRoutes(serving, { ...options, port: 0 });
  if (options.publicUrl !== undefined) serving.mcp?.takeCodesAt(options.publicUrl);
  return openHandler({ logLevel: "warn", ...options, ...toServerParts(serving), routes });
}

/** Finds the folder of the console; undefined if it cannot be built. The API works without it. */
export async function findConsole(say: (text: string) => void): Promise<string | undefined> {
  try {
    const { ensureConsole } = await import("@baton/console/build");
    return await ensureConsole();
  } catch (error) {
    say(`the console is not served because its build failed: ${toMessage(error)}`);
    return undefined;
  }
}

/** Turns the system's error for a port that is in use into a message that says what to do. */
function toRefusal(error: unknown, { host = "127.0.0.1", port = 8_080 }: ServeOptions): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "EADDRINUSE") return error;
  const message = `port ${port} of ${host} is in use; stop what uses it, or serve on another \`port\` (0 picks a free one)`;
  return new BatonError("invalid", message, { cause: error });
}

async function untilSignal(stop: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = () => resolve();
  for (const signal of SIGNALS) process.once(signal, asked);
  try {
    await promise;
  } finally {
    // Another signal ends the process at once.
    for (const signal of SIGNALS) process.off(signal, asked);
  }
  await stop();
}
