/**
 * Serving: the crews of an application over HTTP, with the console.
 *
 * The server uses the engine of the program: each shows and commands the runs of the other, and all runs continue when
 * the server stops.
 */
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { type RunningServer, type ServerEngine, startServer } from "@baton/server";
import type { ChosenModels } from "./crew-models.ts";
import type { KnownCrew } from "./known-crews.ts";
import type { ServeOptions } from "./options.ts";
import manifest from "../package.json" with { type: "json" };

/** A server that accepts requests. */
export interface Served extends AsyncDisposable, Pick<RunningServer, "url" | "host" | "port"> {
  /** Stops accepting requests, and waits for the grace period until clients have their answers. Runs continue. */
  stop(): Promise<void>;
  /** Waits until the process is asked to end (SIGINT, SIGTERM), and stops. */
  untilSignal(): Promise<void>;
}

/** A server whose crews can change. */
export interface Serves extends Served {
  /** Serves these crews instead. */
  show(crews: readonly KnownCrew[]): void;
}

/** What is served. */
interface Serving {
  readonly crews: readonly KnownCrew[];
  readonly models: ChosenModels;
  readonly engine: ServerEngine;
  readonly secrets: readonly string[];
  readonly say: (text: string) => void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Starts a server; resolves once it accepts requests. */
export async function serve(serving: Serving, { console: page = true, ...options }: ServeOptions): Promise<Serves> {
  const { crews, models, engine, secrets, say } = serving;
  if (crews.length === 0) {
    throw new BatonError("invalid", "there is no crew to serve; pass `crews` to openBaton, or start a crew first");
  }
  const folder = page ? await findConsole(say) : undefined;
  const server = await listen({
    logLevel: "warn",
    ...options,
    engine,
    store: engine.store,
    crews: crews.map(({ served }) => served),
    model: models.modelOf,
    about: { version: manifest.version, model: models.reasons.join("; ") },
    secrets,
    ...(folder === undefined ? {} : { console: folder }),
  });
  const stop = () => server.stop();
  const show = (all: readonly KnownCrew[]) => server.replaceCrews(all.map(({ served }) => served));
  const { url, host, port } = server;
  return { url, host, port, stop, show, untilSignal: () => untilSignal(stop), [Symbol.asyncDispose]: stop };
}

/** What the system says of an address that it cannot have, as something to do. */
async function listen(options: Parameters<typeof startServer>[0]): Promise<RunningServer> {
  try {
    return await startServer(options);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "EADDRINUSE") throw error;
    const { host = "127.0.0.1", port = 8_080 } = options;
    const message = `port ${port} of ${host} is in use; stop what uses it, or serve on another \`port\` (0 picks a free one)`;
    throw new BatonError("invalid", message, { cause: error });
  }
}

/** The folder of the console. The API is served without it if it cannot be built. */
async function findConsole(say: Serving["say"]): Promise<string | undefined> {
  try {
    const { ensureConsole } = await import("@baton/console/build");
    return await ensureConsole();
  } catch (error) {
    say(`the console cannot be built and is not served: ${toMessage(error)}`);
    return undefined;
  }
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
