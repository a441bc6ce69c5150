/**
 * Serving: the crews of an application over HTTP, with the console.
 *
 * The server has a store of its own on the same data, so that runs of the program and runs of the server are in one
 * list; each run is commanded where it executes, or anywhere while it is paused.
 */
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/ports";
import { type RunningServer, startServer } from "@baton/server";
import type { ChosenModels } from "./crew-models.ts";
import type { KnownCrew } from "./known-crews.ts";
import type { ServeOptions } from "./options.ts";
import type { OpenStore } from "./place.ts";
import manifest from "../package.json" with { type: "json" };

/** A server that accepts requests. */
export interface Served extends AsyncDisposable, Pick<RunningServer, "url" | "host" | "port"> {
  /** Stops accepting requests, lets runs continue for the grace period, leaves the rest for the next start. */
  stop(): Promise<void>;
  /** Waits until the process is asked to end (SIGINT, SIGTERM), and stops. */
  untilSignal(): Promise<void>;
}

/** What is served. */
interface Serving {
  readonly crews: readonly KnownCrew[];
  readonly models: ChosenModels;
  readonly open: OpenStore;
  readonly env: { readonly [name: string]: string | undefined };
  readonly say: (text: string) => void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;
const SECRET_NAME = /(?:^|_)(?:API_KEY|TOKEN|SECRET|PASSWORD)$/;
const MIN_SECRET = 8;

/** Starts a server; resolves once it accepts requests. */
export async function serve(serving: Serving, { console: page = true, ...options }: ServeOptions): Promise<Served> {
  const { crews, models, open, env, say } = serving;
  if (crews.length === 0) {
    throw new BatonError("invalid", "there is no crew to serve; pass `crews` to openBaton, or start a crew first");
  }
  const folder = page ? await findConsole(say) : undefined;
  await using parts = new AsyncDisposableStack();
  const store = parts.use(await open());
  const server = await listen({
    logLevel: "warn",
    ...options,
    store,
    crews: crews.map(({ served }) => served),
    model: models.modelOf,
    about: { version: manifest.version, model: models.reasons.join("; ") },
    secrets: toSecrets(env),
    ...(folder === undefined ? {} : { console: folder }),
  });
  parts.defer(() => server.stop());
  const owned = parts.move();
  const stop = () => owned.disposeAsync();
  const { url, host, port } = server;
  return { url, host, port, stop, untilSignal: () => untilSignal(stop), [Symbol.asyncDispose]: stop };
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

function toSecrets(env: Serving["env"]): readonly string[] {
  return Object.entries(env).flatMap(([name, value = ""]) =>
    SECRET_NAME.test(name) && value.length >= MIN_SECRET ? [value] : [],
  );
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
