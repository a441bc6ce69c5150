/**
 * Test server: a real server on a free port of this machine, with crews whose models follow scripts.
 *
 * Ends with everything it opened when it is disposed of.
 */
import { type Agent, type Crew, type Model, scriptModel } from "@baton/core";
import { type Database, Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import type { RunningServer, ServedCrew, ServerOptions } from "../options.ts";
import { startServer } from "../server.ts";

/** A crew and what its agents say. */
export interface Scripted {
  readonly crew: Crew;
  readonly script: Parameters<typeof scriptModel>[0];
}

/** A server of a test. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly server: RunningServer;
  readonly store: Store;
  /** All that was logged. */
  readonly logs: readonly string[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

/** Options of a test server. */
export interface TestServerOptions extends Partial<Omit<ServerOptions, "store" | "crews">> {
  readonly database?: Database;
}

/** A crew as it is served, under its name. */
export function toServed(crew: Crew): ServedCrew {
  return { id: crew.name, crew, findings: [] };
}

/** The model of each agent: its crew's script. */
export function toModels(scripted: readonly Scripted[]): (agent: Agent, crew: Crew) => Model {
  const models = new Map(scripted.map(({ crew, script }) => [crew.name, scriptModel(script)]));
  return (_, crew) => models.get(crew.name) ?? scriptModel({});
}

/** Starts it on 127.0.0.1. */
export async function startTestServer(
  scripted: readonly Scripted[],
  { database = openMemory(), ...options }: TestServerOptions = {},
): Promise<TestServer> {
  const store = await Store.open({ database });
  const logs: string[] = [];
  const server = await startServer({
    model: toModels(scripted),
    port: 0,
    graceMs: 0,
    logTo: { write: (line: string) => logs.push(line) },
    ...options,
    store,
    crews: scripted.map(({ crew }) => toServed(crew)),
  });
  const { url } = server;
  return {
    url,
    server,
    store,
    logs,
    get: (path, headers = {}) => fetch(url + path, { headers }),
    post: (path, body, headers = {}) =>
      fetch(url + path, {
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    [Symbol.asyncDispose]: async () => {
      await server.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}
