/**
 * Example server: what the examples of the documentation talk to, as `baton serve crews` would start it; all models are
 * scripts.
 */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { readCrewFile } from "@baton/baton/crews";
import { type Crew, type Script, scriptModel } from "@baton/core";
import { toMermaid } from "@baton/crewfile";
import { ToolThreads } from "@baton/durable/threads";
import { withToolCalls } from "@baton/models";
import { toGuard } from "@baton/policy";
import { KeyRing, type KeyScope, type RunningServer, startServer } from "@baton/server";
import { Store } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";

const CREWS = join(import.meta.dirname, "..", "crews");

interface Scripted {
  readonly crew: Crew;
  readonly script: Script;
}

/** A server on a free port; ends with all it opened. */
export class ExampleServer implements AsyncDisposable {
  readonly #store: Store;
  readonly #crews: readonly Scripted[];
  #server: RunningServer | undefined;

  private constructor(store: Store, crews: readonly Scripted[]) {
    this.#store = store;
    this.#crews = crews;
  }

  /** Opens one; a test may change the crews, as a reader would who follows the page. */
  static async open(change: (crew: Crew) => Crew = (crew) => crew): Promise<ExampleServer> {
    const folders = globSync("*/crew.yaml", { cwd: CREWS }).toSorted();
    const threads = new ToolThreads();
    const read = await Promise.all(folders.map((file) => readScripted(join(CREWS, file, ".."), threads)));
    const crews = read.map(({ crew, script }) => ({ crew: change(crew), script }));
    const server = new ExampleServer(await Store.open({ database: openMemory() }), crews);
    await server.#start();
    return server;
  }

  /** Its name and port. */
  get address(): string {
    return `127.0.0.1:${this.#server?.port}`;
  }

  /** Makes a key, and starts anew: a server that runs would need a moment to know of it. */
  async createKey(tenant: string, scopes: readonly KeyScope[], user: string): Promise<string> {
    const { database, clock } = this.#store;
    const { key } = await new KeyRing({ database, clock, isLoopback: true }).create(tenant, scopes, { user });
    await this.#server?.stop();
    await this.#start();
    return key;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.stop();
    await this.#store[Symbol.asyncDispose]();
  }

  async #start(): Promise<void> {
    const models = new Map(this.#crews.map(({ crew, script }) => [crew.name, scriptModel(script)]));
    this.#server = await startServer({
      store: this.#store,
      crews: this.#crews.map(({ crew }) => ({ id: crew.name, crew, findings: [], graph: toMermaid(crew) })),
      guardOf: toGuard,
      model: ({ toolCalls }, { name }) => withToolCalls(models.get(name) ?? scriptModel({}), toolCalls),
      port: 0,
      graceMs: 0,
      logLevel: "silent",
    });
  }
}

async function readScripted(folder: string, threads: ToolThreads): Promise<Scripted> {
  const { crew, script } = await readCrewFile(folder, threads);
  assert.ok(crew !== undefined && script !== undefined, `${folder} has no crew with a script`);
  return { crew, script };
}
