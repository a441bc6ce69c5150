/**
 * Cluster: Postgres, Restate, workers, servers and a proxy before them, as processes on this machine.
 *
 * Everything listens on 127.0.0.1 and keeps its data in temporary folders. A part that ends is started again at the same
 * address, with its data, so any of them may be killed.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import type { Clock } from "@baton/core/ports";
import { BatonProcess } from "./baton-process.ts";
import { FrontProxy } from "./front-proxy.ts";
import { ClusterProcess, type Restartable } from "./cluster-process.ts";

/** The size and the settings of a cluster. */
export interface ClusterOptions {
  readonly clock: Clock;
  readonly crews: readonly string[];
  /** Where the proxy listens; 0 picks a free port. */
  readonly port: number;
  readonly workers: number;
  readonly servers: number;
  /** Nodes of Restate; with 0 a lease in Postgres places runs. */
  readonly restateNodes: 0 | 1 | 3;
  /** Further options of all servers and workers. */
  readonly options: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Called with each line that a server or worker logs. */
  readonly log: (line: string) => void;
  /** Called when parts start and end. */
  readonly tell: (text: string) => void;
}

/** The parts of a cluster, by what they are. */
export type ClusterProcesses = Readonly<
  Record<"postgres" | "restate" | "workers" | "servers", readonly ClusterProcess[]>
>;

/** A running cluster. Disposing it stops every process and removes all data. */
export class Cluster implements AsyncDisposable {
  /** Of the proxy. */
  readonly url: string;
  /** Of each server. */
  readonly serverUrls: readonly string[];
  readonly postgresUrl: string;
  readonly parts: ClusterProcesses;
  readonly #stack: AsyncDisposableStack;

  private constructor(
    made: Pick<Cluster, "url" | "serverUrls" | "postgresUrl" | "parts">,
    stack: AsyncDisposableStack,
  ) {
    this.url = made.url;
    this.serverUrls = made.serverUrls;
    this.postgresUrl = made.postgresUrl;
    this.parts = made.parts;
    this.#stack = stack;
  }

  static async start(options: ClusterOptions): Promise<Cluster> {
    await using stack = new AsyncDisposableStack();
    const { tell, port, crews } = options;
    tell("starting Postgres and Restate …");
    const postgres = await startPostgres(options, stack);
    const workerPorts = await freePorts(options.workers);
    const serverPorts = await freePorts(options.servers);
    const restate = await startRestate(options, stack, workerPorts);
    const shared = ["--postgres", postgres.url, ...restate.shared, ...options.options];
    const workers = workerPorts.map((own, index) => {
      const args = ["worker", ...crews, "--port", "0", "--worker-port", `${own}`, ...restate.worker, ...shared];
      return stack.use(toBaton(`worker ${index + 1}`, args, options));
    });
    const servers = serverPorts.map((own, index) => {
      const args = ["serve", ...crews, "--port", `${own}`, ...restate.server, ...shared];
      return stack.use(toBaton(`server ${index + 1}`, args, options));
    });
    // The first one creates the tables.
    const [first, ...others] = [...workers, ...servers];
    await first?.start();
    await Promise.all(others.map((part) => part.start()));
    const serverUrls = serverPorts.map(toUrl);
    const front = stack.use(await FrontProxy.listen({ port, servers: serverUrls }));
    tell(`servers at ${serverUrls.join(" and ")}`);
    const parts = { postgres: [postgres.part], restate: restate.parts, workers, servers };
    return new Cluster({ url: front.url, serverUrls, postgresUrl: postgres.url, parts }, stack.move());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }
}

/** The processes that place runs, and the options of processes that use them. */
interface PlacedBy {
  readonly parts: readonly ClusterProcess[];
  readonly shared: readonly string[];
  readonly worker: readonly string[];
  readonly server: readonly string[];
}

const BY_LEASE: PlacedBy = { parts: [], shared: [], worker: [], server: ["--accept-only"] };

async function startPostgres(options: ClusterOptions, stack: AsyncDisposableStack) {
  const { PostgresServer } = await import("@baton/store/postgres/embedded");
  const server = await PostgresServer.start();
  const part = stack.use(toPart("Postgres", server, options));
  options.tell(`Postgres at ${server.url()}`);
  part.watch();
  return { part, url: server.url() };
}

async function startRestate(
  options: ClusterOptions,
  stack: AsyncDisposableStack,
  ports: readonly number[],
): Promise<PlacedBy> {
  const { clock, tell, restateNodes } = options;
  if (restateNodes === 0) return BY_LEASE;
  const { RestateServer } = await import("@baton/durable/restate/server");
  const { WorkerProxy } = await import("@baton/durable/restate");
  const { nodes, ingress, admin } = await RestateServer.start({ nodes: restateNodes });
  tell(`Restate at ${ingress.join(", ")}, admin ${admin}`);
  const parts = nodes.map((node, index) => {
    const part = stack.use(toPart(nodes.length === 1 ? "Restate" : `Restate ${index + 1}`, node, options));
    part.watch();
    return part;
  });
  const proxy = stack.use(await WorkerProxy.listen({ clock, workers: ports.map(toUrl) }));
  tell(`workers at ${proxy.url}, for Restate`);
  const worker = ["--worker-url", proxy.url, "--restate-admin", admin];
  return { parts, shared: ["--restate", ingress.join(",")], worker, server: [] };
}

function toBaton(name: string, args: readonly string[], options: ClusterOptions): ClusterProcess {
  const { clock, env, log } = options;
  return toPart(name, new BatonProcess({ name, clock, args, env, log }), options);
}

function toPart(name: string, program: Restartable, { clock, tell }: ClusterOptions): ClusterProcess {
  return new ClusterProcess({ name, program, clock, tell });
}

function toUrl(port: number): string {
  return `http://127.0.0.1:${port}`;
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
