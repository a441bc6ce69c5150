/**
 * Fake world: every service on loopback at once, and the settings that lead there. All can be taken down together, each
 * in the same way.
 */
import { join } from "node:path";
import { SOURCES } from "../sources/sources.ts";
import { startFake } from "./fake-source.ts";
import type { FakeServer, Fault } from "./fake-server.ts";

/** All services, until it is disposed of. */
export class FakeWorld implements AsyncDisposable {
  readonly servers: ReadonlyMap<string, FakeServer>;

  private constructor(servers: ReadonlyMap<string, FakeServer>) {
    this.servers = servers;
  }

  static async start(): Promise<FakeWorld> {
    const servers = SOURCES.map(async ({ name }) => [name, await startFake(name)] as const);
    return new FakeWorld(new Map(await Promise.all(servers)));
  }

  /** The service of a source. */
  of(source: string): FakeServer {
    const server = this.servers.get(source);
    if (server === undefined) throw new Error(`there is no source ${source}`);
    return server;
  }

  /** The base URLs of all services, by setting. */
  get env(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      SOURCES.flatMap(({ name, baseUrlSettings }) =>
        baseUrlSettings.map((setting) => [setting, this.of(name).url] as const),
      ),
    );
  }

  /** Settings of a child process that asks these services, on the day of their answers. */
  get childEnv(): Readonly<Record<string, string>> {
    return { ...this.env, NODE_OPTIONS: `--import ${join(import.meta.dirname, "date-of-answers.ts")}` };
  }

  /** Sets the fault of every service. */
  set fault(fault: Fault) {
    for (const server of this.servers.values()) server.fault = fault;
  }

  /** The number of requests to all services. */
  get requests(): number {
    return [...this.servers.values()].reduce((sum, server) => sum + server.requests.length, 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers.values()) await server[Symbol.asyncDispose]();
  }
}
